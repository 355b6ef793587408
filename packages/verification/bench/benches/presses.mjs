// Presses of `/bin/true` with the built command, end to end: from the request on the pipe to its reply.
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileOf } from "../contenders.mjs"
import { button } from "../load/messages.mjs"
import { stdioLoad } from "../load/stdioClient.mjs"
import { interleave } from "../measure.mjs"
import { end, start } from "../processes.mjs"
import { measured } from "../rows.mjs"
import { binary, code, writeButtons } from "./buttons.mjs"

/** @typedef {import("./context.mjs").Bench} Bench */
/** @typedef {import("./context.mjs").Context} Context */

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
  try {
    return await interleave(
      children.map(({ child, key, result }) => {
        const load = stdioLoad(child, button("buttons_press", "nothing-0", result))
        return {
          key,
          warmUp: () => load.run(warmUpMillis / 2, atOnce),
          sample: async () => {
            const before = performance.now()
            const count = await load.run(sliceMillis, atOnce)
            return ((performance.now() - before) * 1000) / count
          }
        }
      }),
      rounds
    )
  } finally {
    await Promise.all(children.map(({ child }) => end(child)))
  }
}

/**
 * @param {Context} context
 * @param {string} name
 */
const both = ({ scratch }, name) => {
  const folder = writeButtons(join(scratch, name), 1)
  const script = join(folder, "bare.sh")
  writeFileSync(script, code)
  return {
    folder,
    ours: {
      key: /** @type {const} */ ("ours"),
      args: [binary, "stdio", "--dir", folder],
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
  about: `presses of a button that runs \`/bin/true\`, ${atOnce} at once; bare spawns the same program; elapsed time for each`,
  run: async (context) => {
    const { bare, folder, ours } = both(context, `press-${atOnce}`)
    try {
      const samples = await samplePresses(context, [ours, bare], atOnce)
      return [measured({ bench: `press-${atOnce}`, unit: "wall_us_per_op" }, samples)]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
})

/** @type {ReadonlyArray<Bench>} */
export const benches = [presses(1), presses(8)]
