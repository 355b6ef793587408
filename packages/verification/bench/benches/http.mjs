// Requests over HTTP: CPU of the server for each.
import { httpLoad, openSession } from "../load/httpClient.mjs"
import { echo, legacyEcho, list, stepping } from "../load/messages.mjs"
import { measured } from "../rows.mjs"
import { competing, sampleCpu, withServers } from "./context.mjs"

/** @typedef {import("./context.mjs").Bench} Bench */
/** @typedef {import("./context.mjs").Context} Context */
/** @typedef {import("../rows.mjs").Key} Key */

/**
 * @param {Context} context
 * @param {object} what
 * @param {string} what.bench
 * @param {string} [what.unit]
 * @param {number} [what.n]
 * @param {ReadonlyArray<Key>} what.against
 * @param {number} what.connections
 * @param {import("../load/messages.mjs").Exchange} what.exchange
 * @param {number} [what.perReply]
 * @param {import("../contenders/control.mjs").Settings} [what.settings]
 * @param {boolean} [what.legacy]
 */
const requests = (context, what) => {
  const {
    against,
    bench,
    connections,
    exchange,
    legacy = false,
    n,
    perReply = 1,
    unit = "cpu_us_per_op"
  } = what
  const wanted = competing(context, against).map((key) => ({ key, settings: { ...what.settings, legacy } }))
  return withServers(context, wanted, async (servers) => {
    const lanes = []
    for (const server of servers) {
      const { key, port } = server
      const session = legacy ? (key === "bare" ? "none" : await openSession(port)) : undefined
      const load = httpLoad({
        port,
        connections,
        exchange,
        ...(session === undefined ? {} : { session })
      })
      lanes.push({ key, server, load })
    }
    const samples = await sampleCpu(context, lanes, perReply)
    for (const { load } of lanes) load.close()
    return measured({ bench, unit, ...(n === undefined ? {} : { n }) }, samples)
  })
}

const everybody = /** @type {const} */ (["bare", "officialSdk", "effect4"])
const events = 100

/** @param {"progress" | "burst"} name @returns {Bench} */
const stream = (name) => ({
  name: `http-sse-${name}`,
  about:
    name === "progress"
      ? `${events} progress events, one in each turn of the event loop, then the result; for each event`
      : `${events} progress events in one turn of the event loop, then the result; for each event`,
  run: async (context) => [
    await requests(context, {
      bench: `http-sse-${name}`,
      unit: "cpu_us_per_event",
      against: ["bare", "officialSdk"],
      connections: 8,
      exchange: stepping(name, events),
      perReply: events
    })
  ]
})

/** @type {ReadonlyArray<Bench>} */
export const benches = [
  {
    name: "http-tools-call",
    about: "2026-07-28, `tools/call` of an echo tool, 32 connections",
    run: async (context) => [
      await requests(context, {
        bench: "http-tools-call",
        against: everybody,
        connections: 32,
        exchange: echo
      })
    ]
  },
  {
    name: "http-legacy-tools-call",
    about: "the same in one session of 2025-11-25",
    run: async (context) => [
      await requests(context, {
        bench: "http-legacy-tools-call",
        against: everybody,
        connections: 32,
        exchange: legacyEcho,
        legacy: true
      })
    ]
  },
  {
    name: "http-tools-list",
    about: "2026-07-28, `tools/list` of 1,000 tools, 4 connections",
    run: async (context) => [
      await requests(context, {
        bench: "http-tools-list",
        against: everybody,
        connections: 4,
        exchange: list(1000),
        settings: { tools: 1000 }
      })
    ]
  },
  stream("progress"),
  stream("burst"),
  {
    name: "growth-tools",
    about: "`tools/list` over HTTP by the number of tools, 4 connections; bare sends text that is ready",
    run: async (context) => {
      const rows = []
      for (const n of [10, 100, 1000, 10_000]) {
        rows.push(
          await requests(context, {
            bench: "growth-tools",
            n,
            against: ["bare"],
            connections: 4,
            exchange: list(n),
            settings: { tools: n }
          })
        )
      }
      return rows
    }
  }
]
