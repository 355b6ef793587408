// Keeps a number of connections busy: each sends its next request when its reply is whole and right.
import { connect } from "node:net"
import { awake } from "./awake.mjs"
import { reader } from "./httpReplies.mjs"
import { nextId } from "./messages.mjs"
import { checker, patienceMillis, WrongReply, within } from "./replies.mjs"

/** @typedef {import("./messages.mjs").Exchange} Exchange */

/**
 * @param {{ readonly method: string, readonly name?: string }} exchange
 * @param {string | undefined} session
 * @returns {Readonly<Record<string, string>>}
 */
const headersOf = ({ method, name }, session) => ({
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  ...(session === undefined
    ? {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        ...(name === undefined ? {} : { "mcp-name": name })
      }
    : { "mcp-protocol-version": "2025-11-25", "mcp-session-id": session })
})

/**
 * @param {number} port
 * @param {Readonly<Record<string, string>>} headers
 */
export const headOf = (port, headers) =>
  [
    "POST /mcp HTTP/1.1",
    `host: 127.0.0.1:${port}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "content-length: "
  ].join("\r\n")

/**
 * @typedef {object} Load
 * @property {() => Promise<void>} prepare opens the connections, and again those that the server has closed while they were idle
 * @property {(millis: number) => Promise<number>} run sends for so long, waits for the last replies, and gives their number
 * @property {() => void} close
 */

/**
 * @param {object} options
 * @param {number} options.port
 * @param {number} options.connections
 * @param {Exchange} options.exchange
 * @param {string} [options.session]
 * @param {Readonly<Record<string, string>>} [options.headers]
 * @returns {Load}
 */
export const httpLoad = ({ connections, exchange, headers = {}, port, session }) => {
  const head = headOf(port, { ...headersOf(exchange, session), ...headers })
  const check = checker(exchange)
  let count = 0
  let busy = 0
  let deadline = 0
  /** @type {(error?: unknown) => void} */
  let settle = () => {}

  /** @param {import("node:net").Socket} socket */
  const drive = (socket) => {
    let id = 0
    const next = () => {
      id = nextId()
      const body = exchange.body(id)
      socket.write(`${head}${body.length}\r\n\r\n${body}`)
    }
    const replies = reader(({ body, isStream, status }) => {
      if (status !== 200) throw new WrongReply(`${exchange.method}: status ${status}: ${body}`)
      check(body, id, isStream)
      count++
      if (performance.now() < deadline) return next()
      if (--busy === 0) settle()
    })
    socket.setNoDelay(true)
    socket.on("error", (error) => settle(error))
    socket.on("close", () => {
      if (busy > 0) settle(new WrongReply(`${exchange.method}: the connection was closed`))
    })
    socket.on("data", (chunk) => {
      try {
        replies.push(chunk.toString("latin1"))
      } catch (error) {
        settle(error)
      }
    })
    return next
  }

  /** @type {Array<{ readonly socket: import("node:net").Socket, readonly next: () => void }>} */
  let lines = []
  return {
    prepare: async () => {
      const alive = lines.filter(({ socket }) => socket.readyState === "open")
      const missing = Array.from({ length: connections - alive.length }, () => open(port))
      const opened = (await Promise.all(missing)).map((socket) => ({ socket, next: drive(socket) }))
      lines = [...alive, ...opened]
    },
    run: (millis) =>
      awake(() =>
        within(millis + patienceMillis, exchange.method, (resolve, reject) => {
          count = 0
          busy = connections
          deadline = performance.now() + millis
          settle = (error) => (error === undefined ? resolve(count) : reject(error))
          for (const { next } of lines) next()
        })
      ),
    close: () => {
      busy = 0
      for (const { socket } of lines) socket.destroy()
    }
  }
}

/**
 * @param {number} port
 * @returns {Promise<import("node:net").Socket>}
 */
export const open = (port) =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket))
    socket.once("error", reject)
  })

/**
 * Opens a session of 2025-11-25 and gives its id.
 * @param {number} port
 */
export const openSession = async (port) => {
  /** @param {object} message @param {object} [more] */
  const post = (message, more = {}) =>
    fetch(`http://127.0.0.1:${port}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...more },
      body: JSON.stringify({ jsonrpc: "2.0", ...message })
    })
  const clientInfo = { name: "bench", version: "1.0.0" }
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }
  const opened = await post({ id: 0, method: "initialize", params })
  const session = opened.headers.get("mcp-session-id")
  await opened.arrayBuffer()
  if (session === null) throw new WrongReply(`initialize: no session, status ${opened.status}`)
  const told = await post(
    { method: "notifications/initialized" },
    { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }
  )
  await told.arrayBuffer()
  return session
}
