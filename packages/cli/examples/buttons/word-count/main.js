// Counts the words, lines and characters of BUTTONS_ARG_TEXT.
// Nothing is imported, so that the file runs as a script and as a module alike.
const text = process.env.BUTTONS_ARG_TEXT ?? ""
const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []

const counts = new Map()
for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)

const top = [...counts]
  .map(([word, count]) => ({ word, count }))
  .sort((one, other) => other.count - one.count || (one.word < other.word ? -1 : 1))
  .slice(0, 10)

const lines = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length
const result = { words: words.length, lines, characters: [...text].length, top_words: top }
process.stdout.write(`${JSON.stringify(result)}\n`)
