/**
 * One client of HTTP+SSE: a stream, the session that rides it, and what runs in that. Everything for the client is an
 * event of the one stream, in the order it came about; the end of the stream ends the rest.
 */
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as Negotiation from "@pushbutton/protocol/Negotiation"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import { legacyVersions } from "@pushbutton/protocol/ProtocolVersion"
import type { HeaderLookup } from "@pushbutton/protocol/RequestHeaders"
import * as RequestMeta from "@pushbutton/protocol/RequestMeta"
import { BackChannel } from "@pushbutton/server/BackChannel"
import type { Decision, Reply, SingleDecision } from "@pushbutton/server/Decision"
import type { LegacySession } from "@pushbutton/server/LegacySession"
import * as Calls from "../calls.js"
import { type Destination, RunningCalls } from "../RunningCalls.js"
import type { Shared } from "../Shared.js"
import type { SseStream } from "../SseStream.js"

export class EventSession {
  readonly stream: SseStream
  /** Who opened the stream, where that is verified: it is nobody else's. */
  readonly principal: string | undefined
  private readonly shared: Shared
  private readonly calls: RunningCalls
  /** For all requests. */
  private readonly destination: Destination
  private legacy: LegacySession | undefined
  private channel: BackChannel | undefined

  constructor(shared: Shared, stream: SseStream, principal: string | undefined) {
    this.shared = shared
    this.stream = stream
    this.principal = principal
    this.calls = new RunningCalls(shared.inFlight)
    this.destination = {
      outlet: {
        notify: (text) => stream.send(text),
        questions: {
          ask: (request) => stream.ask(request),
          takeBack: (notification) => stream.add(notification)
        }
      },
      settle: (reply) => {
        if (reply !== undefined) this.send(reply)
      }
    }
  }

  /**
   * Takes a message. What is to be answered is answered on the stream; given back is only the refusal of what no event
   * could be the answer to.
   */
  receive(message: JsonRpc.Incoming, header: HeaderLookup): Reply | undefined {
    if (message._tag === "Malformed") {
      return {
        status: 400,
        text: JsonRpc.encodeError(message.id, toObject(message.error))
      }
    }
    if (message._tag !== "Batch" && Negotiation.isModernClaim(message)) {
      if (message._tag === "Request") {
        const claim = RequestMeta.claim(message.params)
        this.refuseModern(message.id, typeof claim === "string" ? claim : JSON.stringify(claim))
      }
      return undefined
    }
    const decision = this.shared.dispatcher.decide(message, {
      // This transport has no headers of its own: those of the other, which clients may send anyway, mean nothing.
      header: (name) => (name.startsWith("mcp-") ? undefined : header(name)),
      session: this.legacy,
      principal: this.principal
    })
    if (decision._tag === "Reply" && message._tag !== "Request") return { ...decision.reply, status: 400 }
    this.carryOut(decision)
    return undefined
  }

  /** The client can take more. */
  pump(): void {
    this.channel?.pump()
  }

  /** What the client is told and asked beside its requests. Once that has ended, what runs goes on and is answered. */
  readonly talk = {
    end: () => {
      this.channel?.close()
      this.legacy?.close()
    }
  }

  end(): void {
    this.talk.end()
    this.calls.cancelAll()
  }

  private carryOut(decision: Decision): void {
    switch (decision._tag) {
      case "Open":
        this.legacy = decision.session
        this.send(decision.reply)
        this.channel = new BackChannel(decision.session, this.stream)
        this.channel.open()
        break
      case "Batch":
        // One event for each response: clients read no array from a stream.
        for (const one of decision.decisions) this.perform(one)
        break
      case "Listen":
        this.refuseModern(decision.listen.id, "2026-07-28")
        break
      default:
        this.perform(decision)
    }
  }

  private perform(decision: SingleDecision): void {
    Calls.perform(this.shared, decision, this.calls, this.destination)
  }

  /** Sessions of this transport are legacy; the versions are named, and nothing is guessed. */
  private refuseModern(id: JsonRpc.RequestId, requested: string): void {
    const error = new ProtocolError.UnsupportedProtocolVersion({ requested, supported: legacyVersions })
    this.stream.add(JsonRpc.encodeError(id, toObject(error)))
  }

  private send({ text }: Reply): void {
    this.stream.add(text)
  }
}

const toObject = (error: ProtocolError.ProtocolError) => ProtocolError.toErrorObject(error, "modern")
