// Prints BUTTONS_ARG_TEXT in the case that BUTTONS_ARG_STYLE names.
// Nothing is imported, so that the file runs as a script and as a module alike.
const text = process.env.BUTTONS_ARG_TEXT ?? ""

const title = (word) => {
  const [first = "", ...rest] = word
  return first.toUpperCase() + rest.join("").toLowerCase()
}

const styles = {
  upper: () => text.toUpperCase(),
  lower: () => text.toLowerCase(),
  title: () => text.replace(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu, title)
}

process.stdout.write(`${styles[process.env.BUTTONS_ARG_STYLE]()}\n`)
