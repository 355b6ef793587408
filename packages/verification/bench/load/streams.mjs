// Holds `subscriptions/listen` streams open, and sees what arrives on them.
import { headOf, open } from "./httpClient.mjs"
import { reader } from "./httpReplies.mjs"
import { listen, nextId } from "./messages.mjs"
import { eventsOf, patienceMillis, WrongReply, within } from "./replies.mjs"

/**
 * @param {number} port
 * @returns {Promise<{ readonly next: () => Promise<string>, readonly close: () => void }>} open and acknowledged
 */
const openStream = async (port) => {
  const socket = await open(port)
  let seen = 0
  /** @type {(method: string) => void} */
  let tell = () => {}
  /** @type {(error: unknown) => void} */
  let fail = () => {}
  const replies = reader(({ status }) => fail(new WrongReply(`listen: the reply ended, status ${status}`)))
  socket.on("data", (chunk) => {
    replies.push(chunk.toString("latin1"))
    const events = eventsOf(replies.open().slice(seen))
    if (events.length === 0) return
    seen = replies.open().length
    for (const { method } of events) tell(String(method))
  })
  socket.on("error", (error) => fail(error))
  socket.on("close", () => fail(new WrongReply("listen: the stream was closed")))
  /** @returns {Promise<string>} */
  const next = () =>
    within(patienceMillis, "listen", (resolve, reject) => {
      tell = resolve
      fail = reject
    })
  const acknowledged = next()
  const id = nextId()
  const body = listen.body(id)
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": listen.method
  }
  socket.write(`${headOf(port, headers)}${body.length}\r\n\r\n${body}`)
  const method = await acknowledged
  if (method !== "notifications/subscriptions/acknowledged")
    throw new WrongReply(`listen: ${method} came first`)
  return {
    next,
    close: () => {
      fail = () => {}
      socket.destroy()
    }
  }
}

/**
 * Opens so many streams, a hundred at a time.
 * @param {number} port
 * @param {number} count
 */
export const openStreams = async (port, count) => {
  /** @type {Array<Awaited<ReturnType<typeof openStream>>>} */
  const streams = []
  while (streams.length < count) {
    const some = Math.min(100, count - streams.length)
    streams.push(...(await Promise.all(Array.from({ length: some }, () => openStream(port)))))
  }
  return streams
}
