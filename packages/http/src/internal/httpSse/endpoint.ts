/**
 * HTTP+SSE, the transport of 2024-11-05: a GET opens an event stream, whose first event says where messages are to be
 * posted; what answers them are events of that stream. Clients that fell back to it may speak any handshake revision.
 */
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as Effect from "effect/Effect"
import type { Callers, Headers } from "../../Admission.js"
import type { Body, HttpRequest } from "../HttpRequest.js"
import * as Replies from "../replies.js"
import * as Shared from "../Shared.js"
import type * as SseStream from "../SseStream.js"
import * as Admission from "./admission.js"
import type { Paths } from "./paths.js"
import * as Reference from "./reference.js"
import { EventSession } from "./session.js"

export interface SseOptions {
  /** Where a GET opens the event stream; `/sse` when left out. */
  readonly path?: string | undefined
  /** Where messages are posted; `/messages` when left out. The three paths of a server differ, else its layer dies. */
  readonly messagesPath?: string | undefined
  /**
   * What clients are told to post to, without the session: a URL, or a reference that they resolve against the one of
   * the stream. When left out, the way from the one path to the other, which a prefix added by a proxy leaves right.
   */
  readonly messagesUrl?: string | undefined
  /** Streams that may be open at a time; 1,000 when left out. One more is refused with 503. */
  readonly cap?: number | undefined
}

export interface Options {
  readonly shared: Shared.Shared
  readonly sse: Pick<SseOptions, "messagesUrl" | "cap">
  readonly paths: Paths
  readonly callers: Callers
  readonly maxBodyBytes: number
}

/** How long a message waits for its client to read. */
const patience = "30 seconds"

/** A client that does not read its stream is not read either. False: it has not read for too long. */
const readerOf = (stream: SseStream.SseStream): Effect.Effect<boolean> =>
  stream.canTake()
    ? Effect.succeed(true)
    : Effect.timeoutTo(stream.writable, {
        duration: patience,
        onSuccess: () => true,
        onTimeout: () => false
      })

const notRead = new ProtocolError.InvalidRequest({ detail: "The event stream has to be read" })

/** Serves what is for this transport, and leaves the rest to another. Never throws. */
export const beside = (
  other: (request: HttpRequest) => void,
  { callers, maxBodyBytes, paths, shared, sse }: Options
): ((request: HttpRequest) => void) => {
  const { cap = 1_000 } = sse
  const admit = Admission.make({ ...callers, ...paths })
  const referenceFrom = (sent: string) => sse.messagesUrl ?? Reference.relative(sent, paths.messagesPath)
  const sessions = new Map<string, EventSession>()

  const openStream = (request: HttpRequest, sent: string, headers: Headers) => {
    if (sessions.size >= cap) {
      return decline(request, 503, new ProtocolError.TooManyStreams({ limit: cap }), headers)
    }
    shared.run(shared.ids.next, (exit) =>
      guarded(request, headers, () => {
        if (exit._tag === "Failure") Shared.fail(shared, request.response, undefined, headers, exit.cause)
        else if (!request.response.destroyed) begin(request, exit.value, sent, headers)
      })
    )
  }

  const begin = ({ header, response }: HttpRequest, key: string, sent: string, headers: Headers) => {
    // Author's code may throw, and nothing is open yet.
    const principal = shared.principalOf?.({ header })
    const onEnd = () => {
      shared.subscriptions.delete(session.talk)
      sessions.delete(key)
      session.end()
    }
    const stream = shared.connections.open(response, Shared.replyHeaders(shared, headers), {
      onEnd,
      onWritable: () => session.pump()
    })
    const session = new EventSession(shared, stream, principal)
    shared.subscriptions.add(session.talk)
    sessions.set(key, session)
    stream.addEvent(`event: endpoint\ndata: ${Reference.withKey(referenceFrom(sent), key)}\n\n`)
  }

  const post = (request: HttpRequest, key: string, headers: Headers) => {
    const session = sessions.get(key)
    if (session === undefined || session.principal !== shared.principalOf?.(request)) {
      return decline(request, 404, new ProtocolError.SessionNotFound(), headers)
    }
    shared.run(readerOf(session.stream), (exit) => {
      if (exit._tag === "Failure") return
      if (!exit.value) return decline(request, 503, notRead, headers)
      request.readBody(maxBodyBytes, (body) =>
        guarded(request, headers, () => onBody(request, key, session, headers, body))
      )
    })
  }

  const onBody = (request: HttpRequest, key: string, session: EventSession, headers: Headers, body: Body) => {
    if (shared.isDraining) decline(request, 503, new ProtocolError.ShuttingDown(), headers)
    else if (sessions.get(key) !== session) {
      decline(request, 404, new ProtocolError.SessionNotFound(), headers)
    } else if (body._tag === "TooLarge") {
      decline(request, 413, new ProtocolError.MessageTooLarge({ limitBytes: maxBodyBytes }), headers)
    } else if (body._tag === "NotUtf8") {
      decline(request, 400, new ProtocolError.ParseError({ detail: "The body is not UTF-8" }), headers)
    } else {
      const refusal = session.receive(JsonRpc.decode(body.text), request.header)
      const own = Shared.replyHeaders(shared, headers)
      if (refusal === undefined) Replies.accepted(request.response, own)
      else Replies.json(request.response, refusal.status, own, refusal.text)
    }
  }

  const decline = (
    request: HttpRequest,
    status: number,
    error: ProtocolError.ProtocolError,
    headers: Headers
  ): void =>
    request.decline(status, Shared.replyHeaders(shared, headers), Replies.errorText(undefined, error))

  const guarded = ({ response }: HttpRequest, headers: Headers, step: () => void): void =>
    Shared.guarded(shared, response, undefined, headers, step)

  const serve = (request: HttpRequest, admitted: Admission.Admitted): void => {
    const { headers } = admitted
    if (admitted._tag === "Refused") decline(request, admitted.status, admitted.error, headers)
    else if (admitted._tag === "Options")
      Replies.noContent(request.response, Shared.replyHeaders(shared, headers))
    else if (shared.isDraining) decline(request, 503, new ProtocolError.ShuttingDown(), headers)
    else if (admitted._tag === "Stream") openStream(request, admitted.path, headers)
    else post(request, admitted.key, headers)
  }

  return (request) => {
    const admitted = admit(request)
    if (admitted === undefined) other(request)
    else guarded(request, [], () => serve(request, admitted))
  }
}
