// Who competes, and how each is started.
import { fileURLToPath } from "node:url"
import { end, start } from "./processes.mjs"

/** @typedef {import("./rows.mjs").Key} Key */
/** @typedef {import("./contenders/control.mjs").Settings} Settings */
/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

/** @param {string} path */
export const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url))

const programs = {
  http: {
    ours: fileOf("contenders/oursHttp.mjs"),
    bare: fileOf("contenders/bareHttp.mjs"),
    officialSdk: fileOf("peers/official-sdk/http.mjs"),
    effect4: fileOf("peers/effect4/http.mjs")
  },
  stdio: {
    ours: fileOf("contenders/oursStdio.mjs"),
    bare: fileOf("contenders/bareStdio.mjs"),
    officialSdk: fileOf("peers/official-sdk/stdio.mjs"),
    effect4: fileOf("peers/effect4/stdio.mjs")
  }
}

const startMillis = 60_000

/**
 * The next message of a process; fails when it ends before.
 * @param {ChildProcess} child
 * @returns {Promise<Record<string, unknown>>}
 */
const nextMessage = (child) =>
  new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ why) => {
      clearTimeout(timer)
      child.off("message", onMessage)
      child.off("exit", onExit)
      reject(new Error(`${child.spawnargs.slice(1).join(" ")} ${why}`))
    }
    const timer = setTimeout(() => fail("said nothing in time"), startMillis)
    const onExit = () => fail("ended")
    const onMessage = (/** @type {unknown} */ message) => {
      clearTimeout(timer)
      child.off("exit", onExit)
      resolve(typeof message === "object" && message !== null ? { ...message } : {})
    }
    child.once("exit", onExit)
    child.once("message", onMessage)
  })

/**
 * @typedef {object} HttpServer
 * @property {Key} key
 * @property {ChildProcess} child
 * @property {number} port
 * @property {(question: "heap" | "change") => Promise<Record<string, unknown>>} ask
 * @property {() => Promise<void>} stop
 */

/**
 * @param {string} node
 * @param {Key} key
 * @param {Settings} [settings]
 * @param {ReadonlyArray<string>} [flags] of Node
 * @returns {Promise<HttpServer>}
 */
export const startHttp = async (node, key, settings = {}, flags = []) => {
  const args = [...flags, programs.http[key], JSON.stringify(settings)]
  const child = start(node, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] })
  const { port } = await nextMessage(child)
  return {
    key,
    child,
    port: Number(port),
    ask: (question) => {
      const answer = nextMessage(child)
      child.send(question)
      return answer
    },
    stop: () => end(child)
  }
}

/**
 * @param {string} node
 * @param {Key} key
 * @param {Settings} [settings]
 */
export const startStdio = (node, key, settings = {}) =>
  start(node, [programs.stdio[key], JSON.stringify(settings)], { stdio: ["pipe", "pipe", "inherit"] })
