// Starts the everything fixture, and runs the suite against it. Neither outlives this process.
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"

const fixture = fileURLToPath(new URL("../dist/everything.js", import.meta.url))
const suite = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js")

/**
 * @typedef {object} Fixture
 * @property {string} url
 * @property {() => Promise<void>} stop
 */

/**
 * The fixture on a free port, once it listens.
 * @returns {Promise<Fixture>}
 */
export const startFixture = () =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fixture, "--port", "0"], { stdio: ["ignore", "pipe", "pipe"] })
    const end = () => void child.kill("SIGKILL")
    process.once("exit", end)
    /** @type {Promise<void>} */
    const ended = new Promise((done) => {
      child.once("close", () => {
        process.off("exit", end)
        done()
      })
    })
    let said = ""
    child.stderr.setEncoding("utf8").on("data", (text) => (said += text))
    child.stdout.setEncoding("utf8").once("data", (text) =>
      resolve({
        url: String(text).trim(),
        stop: () => {
          child.kill("SIGTERM")
          return ended
        }
      })
    )
    void ended.then(() => reject(new Error(`The fixture ended before it listened.\n${said}`)))
  })

/**
 * Runs the suite to its end.
 * @param {string} node
 * @param {ReadonlyArray<string>} args
 * @returns {Promise<{ readonly code: number, readonly output: string }>}
 */
export const runSuite = (node, args) =>
  new Promise((resolve) => {
    const child = spawn(node, [suite, ...args], { stdio: ["ignore", "pipe", "pipe"] })
    const end = () => void child.kill("SIGKILL")
    process.once("exit", end)
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => (output += text))
    }
    child.once("error", (error) => (output += error.message))
    child.once("close", (code) => {
      process.off("exit", end)
      resolve({ code: code ?? 1, output })
    })
  })
