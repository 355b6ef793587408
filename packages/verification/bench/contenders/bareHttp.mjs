// Bare `node:http`: parses the body, writes the reply.
import { createServer } from "node:http"
import { answer, listText, progressNotice, textReply } from "./bareTools.mjs"
import { keepAliveMillis, nextTurn, report, settings } from "./control.mjs"

const list = listText(settings().tools ?? 4)
/** @type {Set<import("node:http").ServerResponse>} */
const listening = new Set()

/** @param {import("node:http").ServerResponse} res @param {string} text */
const send = (res, text) => {
  res.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
  res.end(text)
}

/** @param {import("node:http").ServerResponse} res */
const openStream = (res) =>
  res.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })

/** @param {string} json */
const event = (json) => `event: message\ndata: ${json}\n\n`

/** @param {import("node:http").ServerResponse} res @param {import("./bareTools.mjs").Call} call */
const stream = async (res, { id, params }) => {
  const total = Number(params.arguments.steps)
  openStream(res)
  for (let progress = 1; progress <= total; progress++) {
    res.write(event(progressNotice(params._meta?.progressToken, progress, total)))
    if (params.name === "progress") await nextTurn()
  }
  res.end(event(textReply(id, "done")))
}

/** @param {import("node:http").ServerResponse} res @param {number} id */
const listen = (res, id) => {
  openStream(res)
  const params = {
    _meta: { "io.modelcontextprotocol/subscriptionId": id },
    notifications: { toolsListChanged: true }
  }
  res.write(
    event(JSON.stringify({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params }))
  )
  listening.add(res)
  res.on("close", () => listening.delete(res))
}

/** @param {import("node:http").ServerResponse} res @param {import("./bareTools.mjs").Call} call */
const reply = (res, call) => {
  if (call.method === "tools/list") return send(res, `{"jsonrpc":"2.0","id":${call.id},"result":${list}}`)
  if (call.method === "subscriptions/listen") return listen(res, call.id)
  if (call.params.name === "progress" || call.params.name === "burst") return void stream(res, call)
  send(res, answer(call))
}

const server = createServer((req, res) => {
  /** @type {Array<Buffer>} */
  const chunks = []
  req.on("data", (chunk) => chunks.push(chunk))
  req.on("end", () => reply(res, JSON.parse(Buffer.concat(chunks).toString("utf8"))))
})

const change = () => {
  const text = event(JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }))
  for (const res of listening) res.write(text)
}

server.keepAliveTimeout = keepAliveMillis
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object") report({ port: address.port, change })
})
