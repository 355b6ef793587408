// Bare stdio: cuts at line feeds without copying what is left over, and writes once in each turn.

/** @param {(line: string) => void} receive */
export const readLines = (receive) => {
  /** @type {Array<Buffer>} */
  let parts = []
  process.stdin.on("data", (chunk) => {
    let from = 0
    for (let to = chunk.indexOf(10); to !== -1; to = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, to))
      receive((parts.length === 1 ? chunk.subarray(from, to) : Buffer.concat(parts)).toString("utf8"))
      parts = []
      from = to + 1
    }
    if (from < chunk.length) parts.push(chunk.subarray(from))
  })
}

let waiting = ""

const flush = () => {
  const text = waiting
  waiting = ""
  process.stdout.write(text)
}

/** @param {string} json */
export const writeLine = (json) => {
  if (waiting === "") setImmediate(flush)
  waiting += `${json}\n`
}
