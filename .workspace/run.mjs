// Runs a tool to its end and passes an interrupt on to everything it started.
// The tool gets its own process group, so Ctrl-C in a terminal reaches it once, through here.
import { spawn, spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { constants } from "node:os"
import { whenOrphaned } from "./orphan.mjs"
import { root } from "./workspace.mjs"

const graceMillis = 5_000
const repeatMillis = 500
const hasGroups = process.platform !== "win32"

/** @returns {ReadonlyArray<readonly [pid: number, parent: number]>} */
const processes = () => {
  if (existsSync("/proc/self/stat")) {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          // The second field is the command in parentheses and may hold anything.
          const stat = readFileSync(`/proc/${name}/stat`, "utf8")
          const parent = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]
          return [/** @type {const} */ ([Number(name), Number(parent)])]
        } catch {
          return []
        }
      })
  }
  const listing = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).stdout ?? ""
  return listing.split("\n").flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number)
    return pid === undefined || parent === undefined ? [] : [/** @type {const} */ ([pid, parent])]
  })
}

/**
 * @param {number} ancestor
 * @returns {ReadonlyArray<number>}
 */
const descendants = (ancestor) => {
  const all = processes()
  const found = new Set([ancestor])
  for (let before = 0; before !== found.size; ) {
    before = found.size
    for (const [pid, parent] of all) if (found.has(parent)) found.add(pid)
  }
  found.delete(ancestor)
  return [...found]
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
const kill = (pid, signal) => {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended already.
  }
}

/**
 * @typedef {object} Ended
 * @property {number} code 0 means success; a tool that was killed or could not be started gets another number
 * @property {string} output what it printed, when captured
 */

/**
 * Never rejects. When this process is interrupted meanwhile, the tool and its descendants are ended, and then this process.
 * @param {string} command
 * @param {ReadonlyArray<string>} args
 * @param {{ readonly env?: NodeJS.ProcessEnv, readonly capture?: boolean, readonly shell?: boolean }} [options]
 * @returns {Promise<Ended>}
 */
export const run = (command, args, options = {}) =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: options.env ?? process.env,
      detached: hasGroups,
      shell: options.shell ?? false,
      stdio: options.capture === true ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"]
    })
    let output = ""
    child.stdout?.setEncoding("utf8").on("data", (text) => (output += text))
    child.stderr?.setEncoding("utf8").on("data", (text) => (output += text))

    /** @type {NodeJS.Signals | undefined} */
    let interrupted
    let interruptedAt = 0
    /** @type {Set<number>} */
    const strays = new Set()
    /** @param {NodeJS.Signals} signal */
    const interrupt = (signal) => {
      const { pid } = child
      // npm repeats to us what the terminal has sent already: that is not a second request.
      if (pid === undefined || Date.now() - interruptedAt < repeatMillis) return
      interruptedAt = Date.now()
      const target = hasGroups ? -pid : pid
      for (const stray of descendants(pid)) strays.add(stray)
      kill(target, interrupted === undefined ? signal : "SIGKILL")
      if (interrupted === undefined) setTimeout(() => kill(target, "SIGKILL"), graceMillis).unref()
      interrupted = signal
    }
    const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])
    for (const signal of signals) process.on(signal, interrupt)
    const stopWatching = whenOrphaned(() => interrupt("SIGTERM"))

    /** @param {number} code */
    const ended = (code) => {
      stopWatching()
      for (const signal of signals) process.off(signal, interrupt)
      if (interrupted !== undefined) {
        for (const stray of strays) kill(stray, "SIGKILL")
        process.exit(128 + constants.signals[interrupted])
      }
      resolve({ code, output })
    }
    child.on("error", (error) => {
      output += `${error.message}\n`
      ended(127)
    })
    child.on("exit", (code) => {
      if (interrupted !== undefined) ended(1)
      else child.on("close", () => ended(code ?? 1))
    })
  })
