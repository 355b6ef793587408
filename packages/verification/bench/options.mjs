// The command line of the bench.

/**
 * @typedef {object} Options
 * @property {boolean} json rows on stdout and nothing else
 * @property {ReadonlyArray<string>} only names of benches; all when empty
 * @property {number} rounds how often each contender's turn comes
 * @property {boolean} quick short slices, for trying a change of the bench itself
 */

export const usage = "Usage: npm run bench -- [--json] [--quick] [--rounds N] [--only NAME]…"

/**
 * The options, or what is wrong with them.
 * @param {ReadonlyArray<string>} argv
 * @param {ReadonlyArray<string>} names of the benches that there are
 * @returns {Options | { readonly problem: string }}
 */
export const parse = (argv, names) => {
  /** @type {Array<string>} */
  const only = []
  let json = false
  let quick = false
  /** @type {number | undefined} */
  let rounds
  const words = argv.flatMap((word) => {
    const equals = word.startsWith("--") ? word.indexOf("=") : -1
    return equals === -1 ? [word] : [word.slice(0, equals), word.slice(equals + 1)]
  })
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word === "--json") json = true
    else if (word === "--quick") quick = true
    else if (word === "--only") {
      const name = words[++at]
      if (name === undefined || !names.includes(name)) {
        return { problem: `--only takes one of: ${names.join(", ")}` }
      }
      only.push(name)
    } else if (word === "--rounds") {
      rounds = Number(words[++at])
      if (!Number.isInteger(rounds) || rounds < 1 || rounds > 100) {
        return { problem: "--rounds takes a whole number from 1 to 100" }
      }
    } else return { problem: `Unknown option: ${word}` }
  }
  return { json, only, quick, rounds: rounds ?? (quick ? 2 : 8) }
}
