// What a call costs by how much there is of what it does not concern.
import { join } from "node:path"
import { httpLoad, openSession } from "../load/httpClient.mjs"
import { button, legacyEcho } from "../load/messages.mjs"
import { stdioLoad } from "../load/stdioClient.mjs"
import { interleave } from "../measure.mjs"
import { cpuOf, end, start } from "../processes.mjs"
import { measured } from "../rows.mjs"
import { binary, names, unlimited, writeButtons } from "./buttons.mjs"
import { competing, sampleCpu, withServers } from "./context.mjs"

/** @typedef {import("./context.mjs").Bench} Bench */
/** @typedef {import("./context.mjs").Context} Context */

/**
 * @param {number} port
 * @param {number} count
 * @returns {Promise<string>} one of the sessions
 */
const openSessions = async (port, count) => {
  let session = await openSession(port)
  for (let opened = 1; opened < count; opened++) session = await openSession(port)
  return session
}

/**
 * @param {Context} context
 * @param {number} n
 */
const sessions = (context, n) => {
  const wanted = competing(context, ["officialSdk"]).map((key) => ({ key, settings: { legacy: true } }))
  return withServers(context, wanted, async (servers) => {
    const lanes = []
    for (const server of servers) {
      const { key, port } = server
      const session = await openSessions(port, n)
      lanes.push({
        key,
        server,
        load: httpLoad({ port, connections: 8, exchange: legacyEcho, session })
      })
    }
    const samples = await sampleCpu(context, lanes)
    for (const { load } of lanes) load.close()
    return measured({ bench: "growth-sessions", unit: "cpu_us_per_op", n }, samples)
  })
}

/**
 * @param {Context} context
 * @param {number} n
 */
const history = async ({ node, rounds, scratch, sliceMillis, warmUpMillis }, n) => {
  const folder = writeButtons(join(scratch, `history-${n}`), 1)
  const child = start(node, [binary, "stdio", "--dir", folder, ...unlimited], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  try {
    const pressing = stdioLoad(child, button("buttons_press", names(1), '"exit_code": 0'), {
      isAwake: false
    })
    for (let pressed = 0; pressed < n; pressed++) await pressing.run(0, 1)
    pressing.close()
    const inspecting = stdioLoad(child, button("buttons_inspect", names(1), "nothing-0"))
    const sample = async () => {
      const { nanos, value } = await cpuOf(child, () => inspecting.run(sliceMillis, 1))
      return nanos / 1000 / value
    }
    const warmUp = () => inspecting.run(warmUpMillis, 1)
    const samples = await interleave([{ key: "ours", warmUp, sample }], rounds)
    return measured({ bench: "growth-history", unit: "cpu_us_per_op", n }, samples)
  } finally {
    await end(child)
  }
}

/** @type {ReadonlyArray<Bench>} */
export const benches = [
  {
    name: "growth-sessions",
    about: "`tools/call` in one session of 2025-11-25 while n are open",
    run: async (context) => {
      const rows = []
      for (const n of [10, 100, 1000]) rows.push(await sessions(context, n))
      return rows
    }
  },
  {
    name: "growth-history",
    about: "`buttons_inspect` of a button with n records of history; 100 are kept",
    run: async (context) => {
      const rows = []
      for (const n of [1, 10, 100]) rows.push(await history(context, n))
      return rows
    }
  }
]
