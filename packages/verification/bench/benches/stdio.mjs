// Requests over pipes: CPU of the server for each.
import { startStdio } from "../contenders.mjs"
import { echo, measure } from "../load/messages.mjs"
import { stdioLoad } from "../load/stdioClient.mjs"
import { interleave, warm } from "../measure.mjs"
import { cpuOf, end } from "../processes.mjs"
import { measured } from "../rows.mjs"
import { competing } from "./context.mjs"

/** @typedef {import("./context.mjs").Bench} Bench */
/** @typedef {import("./context.mjs").Context} Context */
/** @typedef {import("../rows.mjs").Key} Key */
/** @typedef {import("../rows.mjs").Samples} Samples */

/**
 * @param {Context} context
 * @param {ReadonlyArray<Key>} against
 * @param {import("../load/messages.mjs").Exchange} exchange
 * @param {{ readonly atOnce: number, readonly warmUpMillis: number, readonly sliceMillis: number, readonly nanosPerUnit: number }} how
 * @returns {Promise<Samples>}
 */
const sampleStdio = async (
  context,
  against,
  exchange,
  { atOnce, nanosPerUnit, sliceMillis, warmUpMillis }
) => {
  const children = competing(context, against).map((key) => ({ key, child: startStdio(context.node, key) }))
  try {
    return await interleave(
      children.map(({ child, key }) => {
        const load = stdioLoad(child, exchange)
        return {
          key,
          warmUp: () =>
            warmUpMillis === 0 ? load.run(0, atOnce) : warm(() => load.run(warmUpMillis, atOnce)),
          sample: async () => {
            const { nanos, value } = await cpuOf(child, () => load.run(sliceMillis, atOnce))
            return nanos / nanosPerUnit / value
          }
        }
      }),
      context.rounds
    )
  } finally {
    await Promise.all(children.map(({ child }) => end(child)))
  }
}

/** @param {number} atOnce @returns {Bench} */
const calls = (atOnce) => ({
  name: `stdio-tools-call-${atOnce}`,
  about: `2026-07-28, \`tools/call\` of an echo tool over pipes, ${atOnce} in flight`,
  run: async (context) => [
    measured(
      { bench: `stdio-tools-call-${atOnce}`, unit: "cpu_us_per_op" },
      await sampleStdio(context, ["bare", "officialSdk", "effect4"], echo, {
        atOnce,
        warmUpMillis: context.warmUpMillis,
        sliceMillis: context.sliceMillis,
        nanosPerUnit: 1e3
      })
    )
  ]
})

const megabyte = 1_000_000

/**
 * One message at a time; slices of no length send one.
 * @param {Context} context
 * @param {number} megabytes
 * @param {ReadonlyArray<Key>} against
 */
const large = (context, megabytes, against) =>
  sampleStdio(context, against, measure(megabytes * megabyte), {
    atOnce: 1,
    warmUpMillis: 0,
    sliceMillis: 0,
    nanosPerUnit: 1e6
  })

/** @type {ReadonlyArray<Bench>} */
export const benches = [
  calls(1),
  calls(8),
  calls(64),
  {
    name: "stdio-large-message",
    about: "one message of 9 MB, answered with its length",
    run: async (context) => [
      measured(
        { bench: "stdio-large-message", unit: "cpu_ms_per_op" },
        await large(context, 9, ["bare", "officialSdk", "effect4"])
      )
    ]
  },
  {
    name: "growth-message-size",
    about: "the same by the size of the message, in MB",
    run: async (context) => {
      const rows = []
      for (const n of [1, 4, 9]) {
        const samples = await large(context, n, ["bare", "officialSdk"])
        rows.push(measured({ bench: "growth-message-size", unit: "cpu_ms_per_op", n }, samples))
      }
      return rows
    }
  }
]
