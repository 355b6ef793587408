// Open `subscriptions/listen` streams: the heap that each holds, and what telling each of a change costs.

import { WrongReply } from "../load/replies.mjs"
import { openStreams } from "../load/streams.mjs"
import { interleave } from "../measure.mjs"
import { cpuOf } from "../processes.mjs"
import { measured } from "../rows.mjs"
import { competing, withServers } from "./context.mjs"

/** @typedef {import("./context.mjs").Bench} Bench */
/** @typedef {import("./context.mjs").Context} Context */
/** @typedef {import("../contenders.mjs").HttpServer} HttpServer */

/** @param {HttpServer} server */
const heapOf = async ({ ask }) => Number((await ask("heap"))["heap"])

/**
 * @param {HttpServer} server
 * @param {number} count
 */
const heapPerStream = async (server, count) => {
  const before = await heapOf(server)
  const streams = await openStreams(server.port, count)
  const after = await heapOf(server)
  for (const { close } of streams) close()
  // Asked for until the closed streams are gone, so that the next round begins where this one did.
  for (let round = 0; round < 20 && (await heapOf(server)) > before + (after - before) / 4; round++);
  return (after - before) / 1024 / count
}

/**
 * @param {Context} context
 * @param {string} bench
 * @param {number} count
 */
const idle = (context, bench, count) => {
  const keys = competing(context, ["bare", "officialSdk", "effect4"])
  const use = async (/** @type {ReadonlyArray<HttpServer>} */ servers) => {
    const lanes = servers.map((server) => ({
      key: server.key,
      warmUp: () => heapPerStream(server, 300),
      sample: () => heapPerStream(server, count)
    }))
    // Sizes hardly vary, and thousands of streams take a while.
    return measured(
      { bench, unit: "heap_kib_per_stream" },
      await interleave(lanes, Math.min(context.rounds, 2))
    )
  }
  return withServers(
    context,
    keys.map((key) => ({ key })),
    use,
    ["--expose-gc"]
  )
}

/**
 * CPU for each stream that is told of one change.
 * @param {Context} context
 * @param {number} count
 */
const fanOut = (context, count) => {
  const keys = competing(context, ["bare", "officialSdk"])
  return withServers(
    context,
    keys.map((key) => ({ key })),
    async (servers) => {
      const lanes = []
      const all = []
      for (const server of servers) {
        const streams = await openStreams(server.port, count)
        all.push(...streams)
        const tell = async () => {
          const told = Promise.all(streams.map(({ next }) => next()))
          const [methods] = await Promise.all([told, server.ask("change")])
          if (methods.some((method) => method !== "notifications/tools/list_changed")) {
            throw new WrongReply("listen: something else than the change arrived")
          }
        }
        const sample = async () => {
          // Few streams are told often, so that each sample measures about as many deliveries.
          const times = Math.max(1, Math.min(20, Math.floor(2000 / count)))
          const { nanos } = await cpuOf(server.child, async () => {
            for (let time = 0; time < times; time++) await tell()
          })
          return nanos / 1000 / (count * times)
        }
        lanes.push({ key: server.key, warmUp: sample, sample })
      }
      const samples = await interleave(lanes, context.rounds)
      for (const { close } of all) close()
      return measured({ bench: "growth-subscribers", unit: "cpu_us_per_delivery", n: count }, samples)
    }
  )
}

/** @type {ReadonlyArray<Bench>} */
export const benches = [
  {
    name: "http-idle-listen",
    about: "heap of each idle `subscriptions/listen` stream, at 5,000 of them and at 1,000",
    run: async (context) => [
      await idle(context, "http-idle-listen", 5000),
      await idle(context, "http-idle-listen-1000", 1000)
    ]
  },
  {
    name: "growth-subscribers",
    about: "telling each of n open streams that the list of tools has changed",
    run: async (context) => {
      const rows = []
      for (const count of [10, 100, 1000]) rows.push(await fanOut(context, count))
      return rows
    }
  }
]
