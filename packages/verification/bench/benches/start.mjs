// Starting over stdio: what it takes until the first list of tools, and what stays in memory.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as esbuild from "esbuild"
import { fileOf } from "../contenders.mjs"
import { list } from "../load/messages.mjs"
import { stdioLoad } from "../load/stdioClient.mjs"
import { interleave } from "../measure.mjs"
import { cpuNanos, end, endInput, residentMegabytes, start } from "../processes.mjs"
import { measured } from "../rows.mjs"
import { binary, writeButtons } from "./buttons.mjs"
import { competing } from "./context.mjs"

/** @typedef {import("./context.mjs").Bench} Bench */
/** @typedef {import("./context.mjs").Context} Context */
/** @typedef {import("../rows.mjs").Key} Key */

const buttons = 20

/**
 * A stdio server in one file, behind an entry that switches the compile cache on.
 * @param {Context} context
 * @param {string} source
 */
const bundled = async ({ scratch }, source) => {
  const folder = join(scratch, "bundled")
  mkdirSync(folder, { recursive: true })
  const server = join(folder, "server.mjs")
  await esbuild.build({
    entryPoints: [source],
    outfile: server,
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node24"
  })
  await esbuild.stop()
  const entry = join(folder, "entry.mjs")
  const cache = JSON.stringify(join(folder, "cache"))
  writeFileSync(
    entry,
    `import { enableCompileCache } from "node:module"\nenableCompileCache(${cache})\nawait import("./server.mjs")\n`
  )
  return entry
}

/**
 * The command line of each contender, and the list that it has to give.
 * @param {Context} context
 * @returns {Promise<ReadonlyArray<{ readonly key: Key, readonly args: ReadonlyArray<string>, readonly first: import("../load/messages.mjs").Exchange }>>}
 */
const commands = async (context) => {
  const settings = JSON.stringify({ tools: buttons })
  const folder = writeButtons(join(context.scratch, "twenty"), buttons)
  const first = list(buttons)
  const all = []
  for (const key of competing(context, ["bare", "officialSdk", "effect4"])) {
    if (key === "ours")
      all.push({ key, args: [binary, "stdio", "--dir", folder], first: list(3, "buttons_press") })
    if (key === "bare") all.push({ key, args: [fileOf("contenders/bareStdio.mjs"), settings], first })
    if (key === "officialSdk") {
      const entry = await bundled(context, fileOf("peers/official-sdk/stdio.mjs"))
      all.push({ key, args: [entry, settings], first })
    }
    if (key === "effect4") all.push({ key, args: [fileOf("peers/effect4/stdio.mjs"), settings], first })
  }
  return all
}

/**
 * What the look finds right after the first list of tools.
 * @param {Context} context
 * @param {{ readonly bench: string, readonly unit: string }} what
 * @param {(pid: number) => number} look
 */
const afterFirstList = async (context, what, look) => {
  const lanes = (await commands(context)).map(({ args, first, key }) => {
    const sample = async (ending = end) => {
      const env = { XDG_CACHE_HOME: join(context.scratch, "cache") }
      const child = start(context.node, args, { stdio: ["pipe", "pipe", "inherit"], env })
      try {
        await stdioLoad(child, first, { isAwake: false }).run(0, 1)
        return look(child.pid ?? 0)
      } finally {
        await ending(child)
      }
    }
    // The first start fills the disk cache, and at its end the compile caches, which a process that is killed does not keep.
    return { key, warmUp: () => sample(endInput), sample: () => sample() }
  })
  return measured(what, await interleave(lanes, context.rounds))
}

/** @type {ReadonlyArray<Bench>} */
export const benches = [
  {
    name: "stdio-cold-start",
    about: `from the start of the process to the first \`tools/list\`, ${buttons} buttons or tools; the official SDK in one file with a compile cache`,
    run: async (context) => [
      await afterFirstList(
        context,
        { bench: "stdio-cold-start", unit: "cpu_ms" },
        (pid) => cpuNanos(pid) / 1e6
      )
    ]
  },
  {
    name: "stdio-resident-memory",
    about: `resident memory after the first \`tools/list\`, ${buttons} buttons or tools`,
    run: async (context) => [
      await afterFirstList(context, { bench: "stdio-resident-memory", unit: "mb" }, residentMegabytes)
    ]
  }
]
