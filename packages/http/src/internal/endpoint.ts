/** From the head of an HTTP request to its exchange: admission, drain, body. */
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import type { Admission, Head, Headers } from "../Admission.js"
import type { Exchange } from "./exchange.js"
import type { Body, HttpRequest } from "./HttpRequest.js"
import * as Post from "./post.js"
import * as Replies from "./replies.js"
import * as Shared from "./Shared.js"
import * as SessionExchanges from "./sessionExchanges.js"

export interface Options {
  readonly shared: Shared.Shared
  readonly admit: (head: Head) => Admission
  readonly maxBodyBytes: number
}

/** Serves one HTTP request. Never throws. */
export const make = ({ admit, maxBodyBytes, shared }: Options): ((request: HttpRequest) => void) => {
  const serve = (request: HttpRequest): void => {
    const admission = admit(request)
    const { headers } = admission
    if (admission._tag === "Refused") decline(request, admission.status, admission.error, headers)
    else if (admission._tag === "Options")
      Replies.noContent(request.response, Shared.replyHeaders(shared, headers))
    else if (shared.isDraining && !comesBack(admission)) {
      decline(request, 503, new ProtocolError.ShuttingDown(), headers)
    } else if (admission._tag === "Get") {
      SessionExchanges.stream(bodiless(request, headers), admission.sessionId, admission.lastEventId)
    } else if (admission._tag === "Delete") {
      SessionExchanges.close(bodiless(request, headers), admission.sessionId)
    } else {
      request.readBody(maxBodyBytes, (body) => guarded(request, () => onBody(request, admission, body)))
    }
  }

  const onBody = (request: HttpRequest, { accepts, headers }: PostAdmission, body: Body): void => {
    if (shared.isDraining) decline(request, 503, new ProtocolError.ShuttingDown(), headers)
    else if (body._tag === "TooLarge") {
      decline(request, 413, new ProtocolError.MessageTooLarge({ limitBytes: maxBodyBytes }), headers)
    } else if (body._tag === "NotUtf8") {
      decline(request, 400, new ProtocolError.ParseError({ detail: "The body is not UTF-8" }), headers)
    } else Post.serve(shared, request, accepts, headers, body.text)
  }

  const bodiless = (request: HttpRequest, headers: Headers): Exchange => ({
    shared,
    header: request.header,
    response: request.response,
    accepts: { json: true, sse: true },
    headers,
    principal: shared.principalOf?.(request),
    id: undefined
  })

  /** Refuses a request whose message is not known, hence without an id. */
  const decline = (
    request: HttpRequest,
    status: number,
    error: ProtocolError.ProtocolError,
    headers: Headers
  ): void =>
    request.decline(status, Shared.replyHeaders(shared, headers), Replies.errorText(undefined, error))

  const guarded = (request: HttpRequest, step: () => void): void =>
    Shared.guarded(shared, request.response, undefined, [], step)

  return (request) => guarded(request, () => serve(request))
}

/** What was begun is brought to its end. */
const comesBack = (admission: Admission): boolean =>
  admission._tag === "Get" && admission.lastEventId !== undefined

type PostAdmission = Extract<Admission, { _tag: "Post" }>
