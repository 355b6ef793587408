// What the load generators send, and what has to come back.

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {}
}

/**
 * @typedef {object} Exchange
 * @property {string} method
 * @property {string} [name] of the tool
 * @property {(id: number) => string} body
 * @property {(messages: ReadonlyArray<Message>, id: number) => string | undefined} problem what is wrong with the messages of a reply
 */

/**
 * @typedef {object} Message
 * @property {unknown} [id]
 * @property {string} [method]
 * @property {{ readonly progress?: number, readonly progressToken?: unknown, readonly notifications?: unknown }} [params]
 * @property {{ readonly content?: ReadonlyArray<{ readonly text?: string }>, readonly isError?: boolean, readonly tools?: ReadonlyArray<{ readonly name: string }> }} [result]
 * @property {unknown} [error]
 */

/** Seven digits each, so that a reply's length says nothing of its request. */
let last = 1_000_000
export const nextId = () => ++last

/**
 * @param {number} id
 * @param {string} method
 * @param {object} params
 */
const modern = (id, method, params, more = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: { ...meta, ...more } } })

/**
 * @param {ReadonlyArray<Message>} messages
 * @param {number} id
 * @returns {Message | string} the response, or why it is none
 */
const responseOf = (messages, id) => {
  const response = messages.at(-1)
  if (response === undefined) return "no message"
  if (response.id !== id) return `the response has the id ${response.id}`
  if (response.result === undefined) return `no result: ${JSON.stringify(response.error)}`
  return response
}

/**
 * @param {ReadonlyArray<Message>} messages
 * @param {number} id
 * @param {string} text
 */
const textProblem = (messages, id, text) => {
  const response = responseOf(messages, id)
  if (typeof response === "string") return response
  const got = response.result?.content?.[0]?.text
  if (response.result?.isError === true) return `an error: ${got}`
  // Effect 4 answers with the JSON of what a tool returns.
  return got === text || got === JSON.stringify(text) ? undefined : `the text is ${got}`
}

/**
 * @param {boolean} isModern
 * @param {object} [more] request metadata
 */
const echoWith = (isModern, more) => {
  /** @param {number} id */
  const params = (id) => ({ name: "echo", arguments: { message: `hello ${id} `, times: 2 } })
  /** @type {Exchange} */
  const exchange = {
    method: "tools/call",
    name: "echo",
    body: (id) =>
      isModern
        ? modern(id, "tools/call", params(id), more)
        : JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: params(id) }),
    problem: (messages, id) =>
      messages.length === 1 ? textProblem(messages, id, `hello ${id} hello ${id} `) : "more than one message"
  }
  return exchange
}

export const echo = echoWith(true)
export const legacyEcho = echoWith(false)
export const loggedEcho = echoWith(true, { "io.modelcontextprotocol/logLevel": "error" })
export const tracedEcho = echoWith(true, {
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
})

/**
 * @param {"progress" | "burst"} name
 * @param {number} steps
 * @returns {Exchange}
 */
export const stepping = (name, steps) => ({
  method: "tools/call",
  name,
  body: (id) => modern(id, "tools/call", { name, arguments: { steps } }, { progressToken: id }),
  problem: (messages, id) => {
    const notices = messages.slice(0, -1)
    const isWhole =
      notices.length === steps &&
      notices.every(({ params }, index) => params?.progress === index + 1 && params.progressToken === id)
    return isWhole ? textProblem(messages, id, "done") : `${notices.length} notifications, or not in order`
  }
})

/**
 * @param {number} count of the tools
 * @param {string} [name] of one of them
 * @returns {Exchange}
 */
export const list = (count, name = "echo") => ({
  method: "tools/list",
  body: (id) => modern(id, "tools/list", {}),
  problem: (messages, id) => {
    const response = responseOf(messages, id)
    if (typeof response === "string") return response
    const names = new Set(response.result?.tools?.map(({ name }) => name))
    return names.size === count && names.has(name) ? undefined : `${names.size} tools`
  }
})

/**
 * @param {number} bytes of the text whose length is asked for
 * @returns {Exchange}
 */
export const measure = (bytes) => {
  const text = "x".repeat(bytes)
  return {
    method: "tools/call",
    name: "measure",
    body: (id) => modern(id, "tools/call", { name: "measure", arguments: { text } }),
    problem: (messages, id) => textProblem(messages, id, String(bytes))
  }
}

/** @type {Exchange} */
export const listen = {
  method: "subscriptions/listen",
  body: (id) => modern(id, "subscriptions/listen", { notifications: { toolsListChanged: true } }),
  problem: () => undefined
}

/**
 * A call of the built command's tools, for one of its buttons after another.
 * @param {"buttons_press" | "buttons_inspect"} tool
 * @param {ReadonlyArray<string>} buttons
 * @param {string} result what the text of the reply has to hold
 * @returns {Exchange}
 */
export const button = (tool, buttons, result) => ({
  method: "tools/call",
  name: tool,
  body: (id) => modern(id, "tools/call", { name: tool, arguments: { name: buttons[id % buttons.length] } }),
  problem: (messages, id) => {
    const response = responseOf(messages, id)
    if (typeof response === "string") return response
    const got = response.result?.content?.[0]?.text ?? ""
    return response.result?.isError !== true && got.includes(result) ? undefined : `${tool} gave ${got}`
  }
})
