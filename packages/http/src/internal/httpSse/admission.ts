/**
 * Whether a request to one of the two paths of HTTP+SSE gets as far as its session: a pure decision over its head. The
 * first failing check answers, in this order: Origin and Host, preflight, method, media types, session key.
 */
import type { HeaderLookup } from "@pushbutton/protocol/RequestHeaders"
import * as Admission from "../../Admission.js"
import * as MediaTypes from "../mediaTypes.js"
import type { Paths } from "./paths.js"
import * as Reference from "./reference.js"

export interface Policy extends Admission.Callers, Paths {}

export type Admitted =
  /** `path` is the one that was sent. */
  | {
      readonly _tag: "Stream"
      readonly path: string
      readonly headers: Admission.Headers
    }
  | {
      readonly _tag: "Message"
      readonly key: string
      readonly headers: Admission.Headers
    }
  /** 204, no body. */
  | { readonly _tag: "Options"; readonly headers: Admission.Headers }
  | Admission.Refused

/** Undefined for any other path. */
export const make = (policy: Policy): ((head: Admission.Head) => Admitted | undefined) => {
  const passGate = Admission.makeGate(policy)
  const streamPath = Admission.normalise(policy.path)
  const messagesPath = Admission.normalise(policy.messagesPath)
  return (head) => {
    const path = Admission.pathOf(head.target)
    const place = Admission.normalise(path)
    if (place !== streamPath && place !== messagesPath) return undefined
    const gate = passGate(head)
    if (gate._tag === "Refused") return gate
    const method = place === streamPath ? "GET" : "POST"
    const cors = gate.headers
    if (head.method === "OPTIONS") return { _tag: "Options", headers: preflight(method, cors) }
    if (head.method !== method) {
      const allow = `${method}, OPTIONS`
      return Admission.refuse(405, `The method is not allowed, only ${allow}`, [...cors, "Allow", allow])
    }
    return method === "GET" ? stream(path, head.header, cors) : message(head, cors)
  }
}

const stream = (path: string, header: HeaderLookup, cors: Admission.Headers): Admitted =>
  MediaTypes.accepts(header("accept")).sse
    ? { _tag: "Stream", path, headers: cors }
    : Admission.refuse(406, "Accept has to allow text/event-stream", cors)

const message = ({ header, target }: Admission.Head, cors: Admission.Headers): Admitted => {
  const refused = Admission.refuseBody(header, cors)
  if (refused !== undefined) return refused
  const key = Reference.keyOf(target)
  return key === undefined
    ? Admission.refuse(400, "The URL has to be the one of the endpoint event, with its session", cors)
    : { _tag: "Message", key, headers: cors }
}

const preflight = (method: string, cors: Admission.Headers): Admission.Headers =>
  cors.length === 0
    ? ["Allow", `${method}, OPTIONS`]
    : [
        ...cors,
        "Access-Control-Allow-Methods",
        `${method}, OPTIONS`,
        "Access-Control-Allow-Headers",
        "Accept, Authorization, Content-Type, MCP-Protocol-Version, baggage, traceparent, tracestate",
        "Access-Control-Max-Age",
        "7200"
      ]
