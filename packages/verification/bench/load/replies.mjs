// Whether a reply is right. The first is read; those that are the same but for the id are taken as read.

/** @typedef {import("./messages.mjs").Exchange} Exchange */
/** @typedef {import("./messages.mjs").Message} Message */

export class WrongReply extends Error {}

/** How long a reply may take. */
export const patienceMillis = 30_000

/**
 * A promise that is rejected when its time is up.
 * @template A
 * @param {number} millis
 * @param {string} what it is that does not come
 * @param {(resolve: (value: A) => void, reject: (error: unknown) => void) => void} begin
 * @returns {Promise<A>}
 */
export const within = (millis, what, begin) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new WrongReply(`${what}: no reply in time`)), millis)
    begin(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error) => {
        clearTimeout(timer)
        reject(error)
      }
    )
  })

/**
 * The messages of an event stream.
 * @param {string} body
 * @returns {ReadonlyArray<Message>}
 */
export const eventsOf = (body) =>
  body
    .split("\n")
    .filter((line) => line.startsWith("data: ") && line.length > 6)
    .map((line) => JSON.parse(line.slice(6)))

/**
 * Checks each reply of an exchange; throws `WrongReply`.
 * @param {Exchange} exchange
 * @returns {(body: string, id: number, isStream: boolean) => void}
 */
export const checker = (exchange) => {
  /** What stands between the mentions of the id. @type {ReadonlyArray<string> | undefined} */
  let pieces
  return (body, id, isStream) => {
    const name = String(id)
    if (pieces !== undefined && pieces.join(name) === body) return
    const messages = isStream ? eventsOf(body) : [JSON.parse(body)]
    const problem = exchange.problem(messages, id)
    if (problem !== undefined) {
      throw new WrongReply(`${exchange.method} ${exchange.name ?? ""}: ${problem}: ${body.slice(0, 400)}`)
    }
    pieces = body.split(name)
  }
}
