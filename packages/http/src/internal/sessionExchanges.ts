/** What is done to a session as a whole: `initialize` opens it, GET opens or resumes a stream of it, DELETE ends it. */
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import type { Decision } from "@pushbutton/server/Decision"
import { idOf } from "./EventStream.js"
import * as Exchange from "./exchange.js"
import { HttpSession } from "./HttpSession.js"
import * as Replies from "./replies.js"
import * as SseStream from "./SseStream.js"

/** A session that gets no id is closed again. */
export const open = (
  exchange: Exchange.Exchange,
  { reply, session }: Extract<Decision, { _tag: "Open" }>
): void => {
  const { shared } = exchange
  shared.run(shared.ids.next, (exit) => {
    if (exit._tag === "Failure") {
      session.close()
      return Exchange.fail(exchange, exit.cause)
    }
    Exchange.guarded(exchange, () => {
      shared.sessions.keep(new HttpSession(exit.value, session, shared))
      Exchange.answer(exchange, reply, ["Mcp-Session-Id", exit.value])
    })
  })
}

/** Opens a stream for what belongs to no request, or goes on with the one that `lastEventId` names. */
export const stream = (
  exchange: Exchange.Exchange,
  sessionId: string,
  lastEventId: string | undefined
): void =>
  Exchange.withSession(exchange, sessionId, ({ streams }) => {
    const { response } = exchange
    if (response.destroyed) return
    const headers = Exchange.headersOf(exchange)
    const found =
      lastEventId === undefined
        ? ({ _tag: "Live", stream: streams.openStandalone(), missed: [] } as const)
        : streams.resume(lastEventId)
    if (found === undefined) {
      const detail = "Last-Event-ID names no event that a stream can go on from"
      Exchange.refuse(exchange, 400, new ProtocolError.InvalidRequest({ detail }))
    } else if (found._tag === "Live") {
      found.stream.connect(response, headers, found.missed)
      // The head goes out, whether there is an event already or not.
      found.stream.keepAlive()
    } else {
      const text = found.missed
        .map(({ message, number }) => SseStream.event(message, idOf(found.name, number)))
        .join("")
      Replies.wholeStream(response, headers, text)
    }
  })

/** Ends a session and what runs in it. */
export const close = (exchange: Exchange.Exchange, sessionId: string): void =>
  Exchange.guarded(exchange, () => {
    if (exchange.shared.sessions.close(sessionId, exchange.principal))
      Replies.noContent(exchange.response, Exchange.headersOf(exchange))
    else Exchange.sessionNotFound(exchange)
  })
