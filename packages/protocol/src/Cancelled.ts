/** `notifications/cancelled`, both eras. */
import type { JsonValue } from "./Json.js"
import * as Json from "./Json.js"
import type { RequestId } from "./JsonRpc.js"
import * as JsonRpc from "./JsonRpc.js"

export interface Cancelled {
  readonly requestId: RequestId
  readonly reason: string | undefined
}

/** Undefined for a notification that names no request: it is to be ignored. An ill-typed reason counts as none. */
export const decodeCancelled = (params: JsonValue | undefined): Cancelled | undefined => {
  if (!Json.isObject(params)) return undefined
  const requestId = Json.own(params, "requestId")
  if (!JsonRpc.isRequestId(requestId)) return undefined
  const reason = Json.own(params, "reason")
  return { requestId, reason: typeof reason === "string" ? reason : undefined }
}
