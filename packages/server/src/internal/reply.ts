/** Results and errors as replies: one line of JSON-RPC and its HTTP status. */
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import type { Decision, Reply } from "../Decision.js"

export type Era = "modern" | "legacy"

export const result = (id: JsonRpc.RequestId, value: JsonObject): Reply => ({
  status: 200,
  text: JsonRpc.encodeResult(id, value)
})

export const error = (
  id: JsonRpc.RequestId | undefined,
  failure: ProtocolError.ProtocolError,
  era: Era
): Reply => ({
  status: ProtocolError.toHttpStatus(failure, era),
  text: JsonRpc.encodeError(id, ProtocolError.toErrorObject(failure, era))
})

export const answer = (reply: Reply): Decision => ({ _tag: "Reply", reply })
