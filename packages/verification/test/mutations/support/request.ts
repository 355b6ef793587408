/** What a peer may expect of a line it has sent, told without the help of what is tested. */
import { isObject, type JsonObject, type JsonValue } from "@pushbutton/protocol/Json"

export const parse = (bytes: Uint8Array): JsonValue | undefined => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

export interface Sent {
  readonly id: string | number
  readonly method: string
  readonly message: JsonObject
}

/** The request that these bytes are, if they are one at all. */
export const requestOf = (bytes: Uint8Array): Sent | undefined => {
  const message = parse(bytes)
  if (message === undefined || !isObject(message)) return undefined
  const { id, jsonrpc, method } = message
  if (jsonrpc !== "2.0" || typeof method !== "string") return undefined
  if (typeof id !== "string" && !(typeof id === "number" && Number.isSafeInteger(id))) return undefined
  return { id, method, message }
}
