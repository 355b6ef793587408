/** Whether what a server sends fits the published schema of a handshake revision, and has no member beyond it. */
import { readFileSync } from "node:fs"
import { isObject, type JsonObject, type JsonValue } from "@pushbutton/protocol/Json"
import type { LegacyVersion } from "@pushbutton/protocol/ProtocolVersion"
import { Ajv, type ValidateFunction } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import type { Json } from "../../support/rawHttp.js"

export const versions: ReadonlyArray<LegacyVersion> = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]

/** What holds members that no schema lists: metadata, and JSON Schemas. */
const open = new Set(["_meta", "inputSchema", "outputSchema", "structuredContent", "experimental", "Error"])

/** The same schema, where each object has the members that are listed and no others. */
const closed = (schema: JsonValue): JsonValue => {
  if (Array.isArray(schema)) return schema.map((item: JsonValue) => closed(item))
  if (!isObject(schema)) return schema
  const members = Object.fromEntries(
    Object.entries(schema).map(([name, inner]) => [name, open.has(name) ? inner : closed(inner)])
  )
  return isObject(schema["properties"] ?? null) && schema["type"] === "object"
    ? { ...members, additionalProperties: false }
    : members
}

const methods: Readonly<Record<string, string>> = {
  initialize: "InitializeResult",
  ping: "EmptyResult",
  "logging/setLevel": "EmptyResult",
  "resources/subscribe": "EmptyResult",
  "resources/unsubscribe": "EmptyResult",
  "tools/list": "ListToolsResult",
  "tools/call": "CallToolResult",
  "resources/list": "ListResourcesResult",
  "resources/templates/list": "ListResourceTemplatesResult",
  "resources/read": "ReadResourceResult",
  "prompts/list": "ListPromptsResult",
  "prompts/get": "GetPromptResult",
  "completion/complete": "CompleteResult"
}

const sentFirst: Readonly<Record<string, string>> = {
  ping: "PingRequest",
  "roots/list": "ListRootsRequest",
  "sampling/createMessage": "CreateMessageRequest",
  "elicitation/create": "ElicitRequest",
  "notifications/cancelled": "CancelledNotification",
  "notifications/progress": "ProgressNotification",
  "notifications/message": "LoggingMessageNotification",
  "notifications/tools/list_changed": "ToolListChangedNotification",
  "notifications/prompts/list_changed": "PromptListChangedNotification",
  "notifications/resources/list_changed": "ResourceListChangedNotification",
  "notifications/resources/updated": "ResourceUpdatedNotification",
  "notifications/elicitation/complete": "ElicitationCompleteNotification"
}

type Problem = string | undefined

export type Check = (message: Json, method: string | undefined) => Problem

/** Why a message is wrong in a revision; a response is judged by the method of its request. */
export const checkOf = (version: LegacyVersion): Check => {
  const file = new URL(`../../../fixtures/schema/${version}.json`, import.meta.url)
  const schema: JsonObject = JSON.parse(readFileSync(file, "utf8"))
  const inDefinitions = "definitions" in schema
  const options = { strict: false, validateFormats: false }
  const ajv = inDefinitions ? new Ajv(options) : new Ajv2020(options)
  const definitions = inDefinitions ? "definitions" : "$defs"
  ajv.addSchema(schema, "open")
  ajv.addSchema({ ...schema, [definitions]: closed(schema[definitions] ?? {}) }, "closed")

  const validator = (kind: "open" | "closed", name: string): ValidateFunction | undefined =>
    ajv.getSchema(`${kind}#/${definitions}/${name}`)

  const fits = (name: string, value: Json, kind: "open" | "closed" = "closed"): Problem => {
    const validate = validator(kind, name)
    if (validate === undefined) return `${version} has no ${name}`
    return validate(value) === true ? undefined : `${name}: ${ajv.errorsText(validate.errors)}`
  }

  const envelope = (...names: ReadonlyArray<string>): string =>
    names.find((name) => validator("open", name) !== undefined) ?? "JSONRPCMessage"

  const response = envelope("JSONRPCResultResponse", "JSONRPCResponse")
  const error = envelope("JSONRPCErrorResponse", "JSONRPCError")

  return (message, method) => {
    const stray = Object.keys(message).find(
      (name) => !["jsonrpc", "id", "method", "params", "result", "error"].includes(name)
    )
    if (stray !== undefined) return `the member ${stray}`
    if ("method" in message) {
      const name = sentFirst[message.method]
      if (name === undefined) return `the server may not send ${message.method}`
      // Before 2025-11-25 the definitions leave the envelope out.
      const bare = inDefinitions ? { method: message.method, ...withoutEnvelope(message) } : message
      return (
        fits("id" in message ? "JSONRPCRequest" : "JSONRPCNotification", message, "open") ?? fits(name, bare)
      )
    }
    if ("error" in message) return fits(error, message)
    const name = method === undefined ? undefined : methods[method]
    if (name === undefined) return `nobody asked with ${method}`
    const extra = name === "EmptyResult" && Object.keys(message.result).length > 0
    return (
      (extra ? `${method} is answered by {}` : undefined) ??
      fits(response, message, "open") ??
      fits(name, message.result)
    )
  }
}

const withoutEnvelope = ({ id: _, jsonrpc: __, ...rest }: Json) => rest
