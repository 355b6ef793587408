// Presses of `/bin/true` with the built command, end to end: from the request on the pipe to its reply.
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileOf } from "../contenders.mjs"
import { button } from "../load/messages.mjs"
import { stdioLoad } from "../load/stdioClient.mjs"
import { interleave } from "../measure.mjs"
import { childrenNanos, cpuNanos, end, start } from "../processes.mjs"
import { measured } from "../rows.mjs"
import { binary, code, names, unlimited, writeButtons } from "./buttons.mjs"

/** @typedef {import("./context.mjs").Bench} Bench */
/** @typedef {import("./context.mjs").Context} Context */

const buttons = 20
const pipes = /** @type {const} */ (["pipe", "pipe", "inherit"])

/**
 * @param {Context} context
 * @param {ReadonlyArray<{ readonly key: import("../rows.mjs").Key, readonly args: ReadonlyArray<string>, readonly result: string }>} commands
 * @param {number} atOnce
 */
const samplePresses = async ({ node, rounds, sliceMillis, warmUpMillis }, commands, atOnce) => {
  const children = commands.map(({ args, key, result }) => ({
    key,
    result,
    child: start(node, args, { stdio: [...pipes] })
  }))
  /** @type {Record<string, Array<number>>} */
  const cpu = Object.fromEntries(commands.map(({ key }) => [key, []]))
  try {
    const wall = await interleave(
      children.map(({ child, key, result }) => {
        const load = stdioLoad(child, button("buttons_press", names(buttons), result), { isAwake: false })
        return {
          key,
          warmUp: () => load.run(warmUpMillis / 2, atOnce),
          sample: async () => {
            const pid = child.pid ?? 0
            const cpuBefore = cpuNanos(pid) + childrenNanos(pid)
            const before = performance.now()
            const count = await load.run(sliceMillis, atOnce)
            const elapsed = ((performance.now() - before) * 1000) / count
            cpu[key]?.push((cpuNanos(pid) + childrenNanos(pid) - cpuBefore) / 1000 / count)
            return elapsed
          }
        }
      }),
      rounds
    )
    return { cpu, wall }
  } finally {
    await Promise.all(children.map(({ child }) => end(child)))
  }
}

/**
 * @param {Context} context
 * @param {string} name
 * @param {number} atOnce
 */
const both = ({ scratch }, name, atOnce) => {
  const folder = writeButtons(join(scratch, name), buttons, atOnce)
  const script = join(folder, "bare.sh")
  writeFileSync(script, code)
  return {
    folder,
    ours: {
      key: /** @type {const} */ ("ours"),
      args: [binary, "stdio", "--dir", folder, ...unlimited],
      result: '"exit_code": 0'
    },
    bare: {
      key: /** @type {const} */ ("bare"),
      args: [fileOf("contenders/barePress.mjs"), JSON.stringify({ script })],
      result: "0"
    }
  }
}

/** @param {number} atOnce @returns {Bench} */
const presses = (atOnce) => ({
  name: `press-${atOnce}`,
  about: `presses of a button that runs \`/bin/true\`, ${atOnce} at once; bare spawns the same program; elapsed time for each, and CPU of the server and of what it started`,
  run: async (context) => {
    const { bare, folder, ours } = both(context, `press-${atOnce}`, atOnce)
    try {
      const { cpu, wall } = await samplePresses(context, [ours, bare], atOnce)
      return [
        measured({ bench: `press-${atOnce}`, unit: "wall_us_per_op" }, wall),
        measured({ bench: `press-${atOnce}-cpu`, unit: "cpu_us_per_op" }, cpu)
      ]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
})

/** @type {ReadonlyArray<Bench>} */
export const benches = [presses(1), presses(8)]
