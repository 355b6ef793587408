// The processes of a run: each is ended by its id, at the latest with this one. And what the kernel says of them.
import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

/** @type {Set<ChildProcess>} */
const running = new Set()

export const endAll = () => {
  for (const child of running) child.kill("SIGKILL")
}

process.on("exit", endAll)

/**
 * @param {string} node
 * @param {ReadonlyArray<string>} args
 * @param {{ readonly stdio: import("node:child_process").StdioOptions, readonly env?: NodeJS.ProcessEnv }} options
 */
export const start = (node, args, { env = {}, stdio }) => {
  const child = spawn(node, args, { stdio, env: { ...process.env, ...env } })
  running.add(child)
  child.once("close", () => running.delete(child))
  return child
}

/**
 * Completes when the process has ended.
 * @param {ChildProcess} child
 * @returns {Promise<void>}
 */
export const end = (child) =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once("exit", () => resolve())
    child.kill("SIGKILL")
  })

/** For a server to end in order once its input has ended. */
const orderlyMillis = 10_000

/**
 * Ends the input of a process, which then has some time to end by itself. Completes when it has ended.
 * @param {ChildProcess} child
 * @returns {Promise<void>}
 */
export const endInput = (child) =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    const timer = setTimeout(() => child.kill("SIGKILL"), orderlyMillis)
    child.once("exit", () => {
      clearTimeout(timer)
      resolve()
    })
    child.stdin?.end()
  })

/** @param {string} path */
const readProc = (path) => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    // The thread or the process has ended.
    return ""
  }
}

/**
 * CPU time of all threads that live, in nanoseconds; garbage collection included.
 * @param {number} pid
 */
export const cpuNanos = (pid) =>
  readdirSync(`/proc/${pid}/task`).reduce(
    (sum, thread) => sum + Number(readProc(`/proc/${pid}/task/${thread}/schedstat`).split(" ")[0]),
    0
  )

const tickNanos = 1e7

/**
 * CPU time of the children that have ended and were waited for, in nanoseconds, counted by the hundredth of a second.
 * @param {number} pid
 */
export const childrenNanos = (pid) => {
  // The second field is the command in parentheses and may hold anything; cutime and cstime are the 16th and 17th.
  const stat = readProc(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[13]) + Number(fields[14])) * tickNanos
}

/**
 * Resident memory in megabytes of 1,000,000 bytes.
 * @param {number} pid
 */
export const residentMegabytes = (pid) => {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`/proc/${pid}/status`))?.[1]
  return (Number(kibibytes) * 1024) / 1e6
}

/**
 * What the process has used of the CPU by when the work was done.
 * @template A
 * @param {ChildProcess} child
 * @param {() => Promise<A>} work
 * @returns {Promise<{ readonly nanos: number, readonly value: A }>}
 */
export const cpuOf = async (child, work) => {
  const { pid } = child
  if (pid === undefined) throw new Error("The process did not start")
  const before = cpuNanos(pid)
  const value = await work()
  return { nanos: cpuNanos(pid) - before, value }
}
