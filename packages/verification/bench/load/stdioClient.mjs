// Keeps a number of requests in flight on a pipe: what a turn of the loop brings is answered by one write.
import { awake } from "./awake.mjs"
import { nextId } from "./messages.mjs"
import { checker, patienceMillis, WrongReply, within } from "./replies.mjs"

/** @typedef {import("./messages.mjs").Exchange} Exchange */

/**
 * Calls with each line; cuts without copying what is left over.
 * @param {(line: string) => void} onLine
 * @returns {(chunk: Buffer) => void}
 */
export const lineReader = (onLine) => {
  let rest = ""
  return (chunk) => {
    rest += chunk.toString("latin1")
    let from = 0
    for (let to = rest.indexOf("\n"); to !== -1; to = rest.indexOf("\n", from)) {
      onLine(rest.slice(from, to))
      from = to + 1
    }
    rest = rest.slice(from)
  }
}

const idOf = /"id":(\d+)/

/**
 * @param {import("node:child_process").ChildProcess} child with pipes
 * @param {Exchange} exchange
 * @param {{ readonly isAwake?: boolean }} [options] `isAwake: false` leaves the CPU to what the server starts
 */
export const stdioLoad = (child, exchange, { isAwake = true } = {}) => {
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error("The process has no pipes")
  const check = checker(exchange)
  /** @type {Set<number>} */
  const inFlight = new Set()
  let count = 0
  let deadline = 0
  let waiting = ""
  /** @type {(error?: unknown) => void} */
  let settle = () => {}

  const ask = () => {
    const id = nextId()
    inFlight.add(id)
    waiting += `${exchange.body(id)}\n`
  }
  const flush = () => {
    const text = waiting
    waiting = ""
    if (text !== "") stdin.write(text)
  }
  const read = lineReader((line) => {
    const id = Number(idOf.exec(line)?.[1])
    if (!inFlight.delete(id)) throw new WrongReply(`nobody asked for ${line.slice(0, 200)}`)
    check(line, id, false)
    count++
    if (performance.now() < deadline) ask()
  })
  /** @param {Buffer} chunk */
  const receive = (chunk) => {
    try {
      read(chunk)
      flush()
      if (inFlight.size === 0) settle()
    } catch (error) {
      settle(error)
    }
  }
  const onEnd = () => settle(new WrongReply("the process ended"))
  stdout.on("data", receive)
  stdout.once("end", onEnd)
  stdin.on("error", onEnd)

  return {
    /**
     * Keeps so many requests in flight for so long, waits for the last replies, and gives their number.
     * @param {number} millis
     * @param {number} atOnce
     * @returns {Promise<number>}
     */
    run: (millis, atOnce) => {
      const all = () =>
        within(millis + patienceMillis, exchange.method, (resolve, reject) => {
          count = 0
          deadline = performance.now() + millis
          settle = (error) => (error === undefined ? resolve(count) : reject(error))
          for (let index = 0; index < atOnce; index++) ask()
          flush()
        })
      return isAwake ? awake(all) : all()
    },
    /** Takes no more replies, so that another load can use the process. */
    close: () => {
      stdout.off("data", receive)
      stdout.off("end", onEnd)
    }
  }
}
