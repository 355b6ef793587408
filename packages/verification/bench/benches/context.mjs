// What every bench is given, and what benches share.
import { startHttp } from "../contenders.mjs"
import { interleave, warm } from "../measure.mjs"
import { cpuOf } from "../processes.mjs"

/** @typedef {import("../rows.mjs").Key} Key */
/** @typedef {import("../rows.mjs").Measured} Measured */
/** @typedef {import("../contenders/control.mjs").Settings} Settings */
/** @typedef {import("../load/messages.mjs").Exchange} Exchange */
/** @typedef {import("../load/httpClient.mjs").Load} Load */
/** @typedef {import("../contenders.mjs").HttpServer} HttpServer */

/**
 * @typedef {object} Context
 * @property {string} node
 * @property {number} rounds
 * @property {number} sliceMillis
 * @property {number} warmUpMillis
 * @property {ReadonlyArray<Key>} peers those that could be fetched
 * @property {string} scratch a folder for the bench's files
 */

/**
 * @typedef {object} Bench
 * @property {string} name
 * @property {string} about
 * @property {(context: Context) => Promise<ReadonlyArray<Measured>>} run
 */

/**
 * Ourselves and those of the others that are there.
 * @param {Context} context
 * @param {ReadonlyArray<Key>} others
 * @returns {ReadonlyArray<Key>}
 */
export const competing = ({ peers }, others) => [
  "ours",
  ...others.filter((key) => key === "bare" || peers.includes(key))
]

/**
 * CPU of a server for each operation of its load, in microseconds, as samples of every lane in turn.
 * @param {Context} context
 * @param {ReadonlyArray<{ readonly key: Key, readonly server: HttpServer, readonly load: Load }>} lanes
 * @param {number} [perReply] operations in one reply
 */
export const sampleCpu = ({ rounds, sliceMillis, warmUpMillis }, lanes, perReply = 1) =>
  interleave(
    lanes.map(({ key, load, server }) => ({
      key,
      warmUp: async () => {
        await load.prepare()
        await warm(async () => (await load.run(warmUpMillis)) * perReply)
      },
      sample: async () => {
        await load.prepare()
        const { nanos, value } = await cpuOf(server.child, () => load.run(sliceMillis))
        return nanos / 1000 / (value * perReply)
      }
    })),
    rounds
  )

/**
 * Starts the servers one after another, measures, and ends them whatever happens.
 * @template A
 * @param {Context} context
 * @param {ReadonlyArray<{ readonly key: Key, readonly settings?: Settings }>} wanted
 * @param {(servers: ReadonlyArray<HttpServer>) => Promise<A>} use
 * @param {ReadonlyArray<string>} [flags] of Node
 */
export const withServers = async ({ node }, wanted, use, flags = []) => {
  /** @type {Array<HttpServer>} */
  const servers = []
  try {
    for (const { key, settings } of wanted) servers.push(await startHttp(node, key, settings, flags))
    return await use(servers)
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()))
  }
}
