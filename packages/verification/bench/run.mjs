// One run of the bench: fetches the peers, measures, prints.
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { constants, tmpdir } from "node:os"
import { join } from "node:path"
import { benches } from "./benches/index.mjs"
import * as Machine from "./machine.mjs"
import { findNode } from "./node.mjs"
import { parse, usage } from "./options.mjs"
import { fetchPeer, peerKeys } from "./peers.mjs"
import { endAll } from "./processes.mjs"
import { figures, verdictTable } from "./table.mjs"
import { judge } from "./targets.mjs"

/** @typedef {import("./options.mjs").Options} Options */
/** @typedef {import("./rows.mjs").Measured} Measured */

/** @param {string} line */
const note = (line) => process.stderr.write(`${line}\n`)

/** @param {string} text */
const print = (text) => process.stdout.write(`${text}\n`)

const stopOnSignals = () => {
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.once(signal, () => {
      endAll()
      process.exit(128 + constants.signals[signal])
    })
  }
}

/** Those that could be fetched; figures of the others are left out. */
const fetchPeers = () =>
  peerKeys.filter((key) => {
    note(`Fetching ${key} where it is not there yet…`)
    const problem = fetchPeer(key)
    if (problem !== undefined) note(`Left out: ${key} could not be fetched: ${problem}`)
    return problem === undefined
  })

/**
 * @param {Options} options
 * @param {string} node
 * @param {string} scratch
 */
const measureAll = async ({ only, quick, rounds }, node, scratch) => {
  const context = {
    node,
    scratch,
    rounds,
    peers: fetchPeers(),
    sliceMillis: quick ? 150 : 700,
    warmUpMillis: quick ? 500 : 4000
  }
  /** @type {Array<Measured>} */
  const all = []
  /** @type {Array<string>} */
  const problems = []
  for (const bench of benches.filter(({ name }) => only.length === 0 || only.includes(name))) {
    note(`${bench.name}: ${bench.about} (load ${Machine.load()})`)
    try {
      const found = await bench.run(context)
      all.push(...found)
      note(figures(found))
    } catch (error) {
      problems.push(`${bench.name}: ${error instanceof Error ? error.message : String(error)}`)
      note(`${bench.name} failed: ${problems.at(-1)}`)
    }
  }
  return { all, problems }
}

/**
 * The exit code: 2 for wrong usage, 1 when a bench could not be measured. A missed target is told, not failed.
 * @param {ReadonlyArray<string>} argv
 */
export const run = async (argv) => {
  const options = parse(
    argv,
    benches.map(({ name }) => name)
  )
  if ("problem" in options) {
    note(`${options.problem}\n${usage}`)
    return 2
  }
  if (!existsSync("/proc/self/task")) {
    note("Not measured: the bench reads the CPU time of processes from /proc, so it runs on Linux only.")
    return 1
  }
  const node = findNode()
  if ("missing" in node) {
    note(node.missing)
    return 1
  }
  stopOnSignals()
  const scratch = mkdtempSync(join(tmpdir(), "pushbutton-bench-"))
  process.on("exit", () => rmSync(scratch, { recursive: true, force: true }))
  const machine = Machine.describe(node.path)
  for (const line of machine) note(line)
  const { all, problems } = await measureAll(options, node.path, scratch)
  const rows = all.map(({ row }) => row)
  if (options.json) print(JSON.stringify(rows, undefined, 2))
  else {
    for (const line of machine) print(line)
    print(`load average at the end: ${Machine.load()}\n`)
    print(figures(all))
    const verdicts = judge(rows)
    if (verdicts.length > 0) print(`\n${verdictTable(verdicts)}`)
    for (const problem of problems) print(`\nNot measured: ${problem}`)
  }
  return problems.length === 0 ? 0 : 1
}
