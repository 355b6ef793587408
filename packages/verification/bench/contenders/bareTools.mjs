// The replies of a server that knows nothing of MCP: what remains is what any server has to do.
import { called, echo, fillerDescription, fillers } from "./control.mjs"

/** @typedef {{ readonly message?: string, readonly times?: number, readonly steps?: number, readonly text?: string }} Arguments */

/**
 * @typedef {object} Call
 * @property {number} id
 * @property {string} method
 * @property {{ readonly name: string, readonly arguments: Arguments, readonly _meta?: { readonly progressToken?: unknown } }} params
 */

const inputSchema = {
  type: "object",
  required: ["message", "times"],
  properties: { message: { type: "string" }, times: { type: "integer" } },
  additionalProperties: false
}

/**
 * The list as text, made once.
 * @param {number} count
 */
export const listText = (count) => {
  const tools = [
    ...Object.entries(called).map(([name, description]) => ({ name, description, inputSchema })),
    ...fillers(count).map((name) => ({ name, description: fillerDescription(name), inputSchema }))
  ]
  return JSON.stringify({ resultType: "complete", tools, ttlMs: 0, cacheScope: "private" })
}

/**
 * @param {number} id
 * @param {string} text
 */
export const textReply = (id, text) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id,
    result: { resultType: "complete", content: [{ type: "text", text }] }
  })

/**
 * @param {unknown} progressToken
 * @param {number} progress
 * @param {number} total
 */
export const progressNotice = (progressToken, progress, total) =>
  JSON.stringify({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken, progress, total }
  })

/**
 * The reply to a call that needs no stream.
 * @param {Call} call
 */
export const answer = ({ id, params: { arguments: args, name } }) =>
  textReply(
    id,
    name === "measure"
      ? String(args.text?.length)
      : echo({ message: args.message ?? "", times: args.times ?? 0 })
  )
