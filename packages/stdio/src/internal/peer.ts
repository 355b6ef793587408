/**
 * What the messages of the connection's one peer lead to, in both eras at once: replies, calls, subscriptions, and the
 * session that `initialize` opens. The requests of both eras share one table of ids.
 */
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import { BackChannel } from "@pushbutton/server/BackChannel"
import { BatchReplies } from "@pushbutton/server/BatchReplies"
import type { Decision, Outlet, Reply, SingleDecision } from "@pushbutton/server/Decision"
import type { Dispatcher } from "@pushbutton/server/Dispatcher"
import type { InFlight } from "@pushbutton/server/InFlight"
import type { LegacySession } from "@pushbutton/server/LegacySession"
import * as Effect from "effect/Effect"
import type { Listens } from "./listens.js"
import type { Writer } from "./writer.js"

export interface Peer {
  /** False: the message was refused as a whole, since it is none. */
  readonly receive: (message: JsonRpc.Incoming) => boolean
  /** Answers input that is no message. */
  readonly refuse: (error: JsonRpc.Malformed["error"]) => void
  /** The session is told and asked nothing more; its requests go on. */
  readonly endSession: () => void
}

export interface Options {
  readonly dispatcher: Dispatcher["Type"]
  readonly inFlight: InFlight<JsonRpc.RequestId>
  readonly listens: Listens
  readonly writer: Writer
  readonly log: (line: Effect.Effect<void>) => void
}

type Settle = (reply: Reply | undefined) => void

export const make = ({ dispatcher, inFlight, listens, log, writer }: Options): Peer => {
  let session: LegacySession | undefined
  let channel: BackChannel | undefined
  const outlet: Outlet = { notify: writer.write, questions: { ask: writer.ask, takeBack: writer.add } }
  writer.onWritable(() => channel?.pump())

  const send: Settle = (reply) => {
    if (reply !== undefined) writer.add(reply.text)
  }

  const open = (opened: LegacySession) => {
    session = opened
    channel = new BackChannel(opened, writer)
    channel.open()
  }

  const drop = (error: ProtocolError.ProtocolError) =>
    log(Effect.logWarning(`Input was dropped, since no request could be answered: ${object(error).message}`))

  const carryOut = (decision: Decision) => {
    switch (decision._tag) {
      case "Open":
        open(decision.session)
        return send(decision.reply)
      case "Listen": {
        const { listen } = decision
        return listens.has(listen.id) || inFlight.has(listen.id)
          ? send(listen.refuse(new ProtocolError.RequestInFlight({ id: listen.id })))
          : listens.start(listen)
      }
      case "Batch":
        return carryOutAll(decision.decisions)
      default:
        return carryOutOne(decision, send)
    }
  }

  /** A reply and a call settle once, perhaps before this returns. */
  const carryOutOne = (decision: SingleDecision, settle: Settle) => {
    switch (decision._tag) {
      case "Reply":
        return settle(decision.reply)
      case "Call": {
        const { call } = decision
        return listens.has(call.id)
          ? settle(call.refuse(new ProtocolError.RequestInFlight({ id: call.id })))
          : inFlight.start(call.id, call, outlet, settle)
      }
      case "Cancel":
        return void (listens.cancel(decision.id) || inFlight.cancel(decision.id))
      case "Drop":
        return drop(decision.error)
      case "Accept":
    }
  }

  const carryOutAll = (decisions: ReadonlyArray<SingleDecision>) => {
    const replies = new BatchReplies(decisions)
    for (const decision of decisions) {
      carryOutOne(decision, (reply) => {
        replies.settle(decision, reply)
        const texts = replies.isDone ? replies.take() : []
        if (texts.length > 0) writer.add(JsonRpc.encodeBatch(texts))
      })
    }
  }

  const receive = (message: JsonRpc.Incoming) => {
    try {
      const decision = dispatcher.decide(message, { header: undefined, session })
      carryOut(decision)
      return message._tag !== "Malformed" && (message._tag !== "Batch" || decision._tag === "Batch")
    } catch (defect) {
      // Nothing here may throw; if something does, only this message is lost, and it is answered.
      log(Effect.logError("A message could not be handled", defect))
      const lost = requestsOf(message).map(({ id }) => JsonRpc.encodeError(id, internalError))
      if (lost.length > 0) writer.add(message._tag === "Batch" ? JsonRpc.encodeBatch(lost) : lost.join())
      return true
    }
  }

  return {
    receive,
    refuse: (error) => void receive({ _tag: "Malformed", id: undefined, error }),
    endSession: () => {
      channel?.close()
      session?.close()
    }
  }
}

const requestsOf = (message: JsonRpc.Incoming): ReadonlyArray<JsonRpc.Request> => {
  const messages = message._tag === "Batch" ? message.messages : [message]
  return messages.flatMap((one) => (one._tag === "Request" ? [one] : []))
}

const object = (error: ProtocolError.ProtocolError) => ProtocolError.toErrorObject(error, "modern")

const internalError = object(new ProtocolError.InternalError())
