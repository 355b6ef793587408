// What every contender has in common: what it serves, and how the bench talks to it over IPC.

/**
 * @typedef {object} Settings
 * @property {number} [tools] served in all; the four that are called are among them
 * @property {boolean} [legacy] serves sessions of 2025-11-25, where one program does not serve both
 * @property {string} [feature] what is switched on
 * @property {string} [script] what a press runs
 */

/** @returns {Settings} */
export const settings = () => JSON.parse(process.argv[2] ?? "{}")

/** The tools that are called: their names and descriptions are the same everywhere. */
export const called = {
  echo: "Gives back the message as often as it is asked to",
  progress: "Reports as many steps as it is told, one in each turn of the event loop",
  burst: "Reports as many steps as it is told, all in one turn",
  measure: "Tells how long a text is"
}

/**
 * The names of the tools that only fill the list.
 * @param {number} tools
 */
export const fillers = (tools) =>
  Array.from({ length: Math.max(0, tools - Object.keys(called).length) }, (_, index) => `filler-${index}`)

/** @param {string} name */
export const fillerDescription = (name) => `Does what ${name} is there for, with a message and a count`

/**
 * The reply of `echo`.
 * @param {{ readonly message: string, readonly times: number }} args
 */
export const echo = ({ message, times }) => message.repeat(times)

/** How long every server keeps a connection that is idle: longer than the turns of the others. */
export const keepAliveMillis = 65_000

/** Completes in the next turn of the event loop. @returns {Promise<void>} */
export const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

const collect = async () => {
  for (let round = 0; round < 6; round++) {
    globalThis.gc?.()
    await nextTurn()
  }
  return process.memoryUsage().heapUsed
}

/**
 * Tells the bench where the server listens, and answers what it asks. Ends with the bench.
 * @param {{ readonly port?: number, readonly change?: () => void }} [server]
 */
export const report = ({ change, port } = {}) => {
  const send = (/** @type {object} */ message) => process.send?.(message)
  process.on("message", async (question) => {
    if (question === "heap") send({ heap: await collect() })
    if (question === "change") {
      change?.()
      send({ changed: true })
    }
  })
  process.on("disconnect", () => process.exit())
  send({ port })
}
