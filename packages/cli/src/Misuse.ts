/** What is wrong with a command line, where the library that reads it only says which word it could not place. Pure. */

/** `text` is what the library says, `words` the command line that it was said of. */
export const explained = (text: string, words: ReadonlyArray<string>): string =>
  text.replace(/Received unknown argument: '([^']*)'/, (said, word: string) => reason(word, words) ?? said)

const reason = (word: string, words: ReadonlyArray<string>): string | undefined => {
  if (!word.startsWith("-")) {
    if (words[0] !== "press") return undefined
    return /^[^=]+=/.test(word)
      ? `${word}: an argument of a button follows --arg, as in --arg ${word}`
      : `${word}: press takes one NAME; an argument of the button is written as --arg key=value`
  }
  const places = words.flatMap((other, index) => (other === word ? [index] : []))
  if (places.length > 1) return `${word} is given more than once, or is no option of this command`
  const next = words[(places[0] ?? 0) + 1]
  return next === undefined || next.startsWith("-")
    ? `${word} has no value, or is no option of this command`
    : `${word} is no option of this command`
}
