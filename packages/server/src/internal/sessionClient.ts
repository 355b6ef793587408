/**
 * The client of a legacy session, as the handler of one of its requests asks it: on the stream of that request, ahead
 * of the response, in the words of the session's revision.
 */
import * as Capabilities from "@pushbutton/protocol/Capabilities"
import * as ClientRequest from "@pushbutton/protocol/dialect/ClientRequest"
import * as Elicitation from "@pushbutton/protocol/Elicitation"
import * as InputRequired from "@pushbutton/protocol/InputRequired"
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as Roots from "@pushbutton/protocol/Roots"
import * as Sampling from "@pushbutton/protocol/Sampling"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type { Outlet, Questions } from "../Decision.js"
import type { LegacySession } from "../LegacySession.js"
import type { RandomBytes } from "../RandomBytes.js"
import { type Answer, failed, type NoAnswer, type Question } from "./asking.js"
import * as Base64Url from "./base64url.js"
import type { Outcome } from "./outgoingRequests.js"

/** Where the request of a handler can be asked something. */
export interface AskOutlet extends Pick<Outlet, "notify"> {
  readonly questions: Questions
}

export class SessionClient {
  private readonly session: LegacySession
  private readonly outlet: AskOutlet
  private readonly timeout: Duration.Duration
  private readonly client: ClientRequest.Client
  private readonly random: RandomBytes["Type"]
  /** The visits to pages that the user agreed to, by the key of the question. */
  private readonly visits = new Map<string, string>()

  private readonly open = new Set<Open>()
  private isOver = false

  constructor(
    session: LegacySession,
    outlet: AskOutlet,
    timeout: Duration.Duration,
    random: RandomBytes["Type"]
  ) {
    this.random = random
    this.session = session
    this.outlet = outlet
    this.timeout = timeout
    this.client = { version: session.version, capabilities: session.clientCapabilities }
  }

  /** What it can be asked, as a client of 2026-07-28 would declare it. */
  get askable(): JsonObject {
    return samples.reduce<JsonObject>(
      (known, sample) =>
        Either.isRight(this.encode(sample)) ? Capabilities.union(known, InputRequired.needs(sample)) : known,
      {}
    )
  }

  /** A round goes out as a whole, or nothing of it does: then there is a reason for each question. */
  refuse(questions: ReadonlyArray<Question>): ReadonlyArray<NoAnswer> | undefined {
    const reasons = questions.map(({ request }) => Either.flip(this.encode(request)))
    const first = reasons.find(Either.isRight)
    return first === undefined
      ? undefined
      : reasons.map((reason) => ({
          _tag: "Unavailable",
          reason: Either.getOrElse(reason, () => `what is asked with it cannot be asked: ${first.right}`)
        }))
  }

  /** Asks once. Undefined for a result that the revision does not have. */
  ask(key: string, request: InputRequired.InputRequest): Effect.Effect<Answer | undefined> {
    return Effect.flatMap(isVisit(request) ? this.newId : Effect.succeed(""), (elicitationId) => {
      const encoded = this.encode(request, elicitationId)
      if (Either.isLeft(encoded)) return Effect.succeed({ _tag: "Unavailable", reason: encoded.left })
      const { method, params, readResult } = encoded.right
      const settled = (outcome: Outcome) => {
        const answer = answerOf(outcome, readResult)
        if (isVisit(request) && isAgreed(answer)) this.visits.set(key, elicitationId)
        return answer
      }
      return this.session.ready.pipe(
        Effect.zipRight(this.session.requests.ask(method, params, this.outlet.questions)),
        Effect.timeoutOption(this.timeout),
        Effect.map(
          Option.match({
            onNone: () => failed(new ProtocolError.HandlerFailed({ detail: this.tooLate })),
            onSome: settled
          })
        ),
        (asking) => this.whileOpen(asking)
      )
    })
  }

  complete(key: string): Effect.Effect<void> {
    return Effect.suspend(() => {
      const elicitationId = this.visits.get(key)
      if (elicitationId === undefined) return Effect.void
      this.visits.delete(key)
      const notification = JsonRpc.encodeNotification("notifications/elicitation/complete", { elicitationId })
      return this.outlet.notify(notification) ?? Effect.void
    })
  }

  private encode(request: InputRequired.InputRequest, elicitationId = "") {
    return ClientRequest.encode(this.client, request, elicitationId)
  }

  private get newId(): Effect.Effect<string> {
    return Effect.map(this.random.next(idBytes), Base64Url.encode)
  }

  private whileOpen(asking: Effect.Effect<Answer | undefined>): Effect.Effect<Answer | undefined> {
    return Effect.suspend(() => {
      if (this.isOver) return Effect.succeed(requestOver)
      const one: Open = { over: Deferred.unsafeMake(FiberId.none), closed: Deferred.unsafeMake(FiberId.none) }
      this.open.add(one)
      return Effect.raceFirst(asking, Effect.as(Deferred.await(one.over), requestOver)).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            this.open.delete(one)
            Deferred.unsafeDone(one.closed, Effect.void)
          })
        )
      )
    })
  }

  /** Nothing is asked any more. */
  close(): void {
    this.isOver = true
  }

  /** Closes it, and waits until what is open has been taken back. */
  get end(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.close()
      return Effect.forEach(
        Array.from(this.open),
        ({ closed, over }) => Effect.zipRight(Deferred.succeed(over, undefined), Deferred.await(closed)),
        { discard: true }
      )
    })
  }

  private get tooLate(): string {
    return `no answer within ${Duration.format(this.timeout)}`
  }
}

export const idBytes = 18

/** A question without an answer yet. */
interface Open {
  readonly over: Deferred.Deferred<void>
  readonly closed: Deferred.Deferred<void>
}

const requestOver: NoAnswer = { _tag: "Unavailable", reason: "the request has ended" }

export const isVisit = (request: InputRequired.InputRequest): request is Elicitation.UrlRequest =>
  request.method === "elicitation/create" && request.params.mode === "url"

const isAgreed = (answer: Answer | undefined): boolean => {
  if (answer?._tag !== "Response") return false
  const result = Elicitation.readResult(answer.response)
  return Either.isRight(result) && result.right.action === "accept"
}

const answerOf = (
  outcome: Outcome,
  readResult: ClientRequest.ClientRequest["readResult"]
): Answer | undefined => {
  switch (outcome._tag) {
    case "Result": {
      const response = readResult(outcome.result)
      return Either.isRight(response) ? { _tag: "Response", response: response.right } : undefined
    }
    case "Error":
      return { _tag: "Failed", code: outcome.code, message: outcome.message }
    case "Unsent":
      return { _tag: "Unavailable", reason: "the client reads nothing of this call any more" }
    case "Gone":
      return { _tag: "Unavailable", reason: "the session is over" }
  }
}

/** One of each kind that a client may be able to answer or not. */
const samples: ReadonlyArray<InputRequired.InputRequest> = [
  Elicitation.form("", { type: "object", properties: {} }),
  Elicitation.url("", ""),
  Sampling.request({ messages: [], maxTokens: 1 }),
  Sampling.request({ messages: [], maxTokens: 1, tools: [] }),
  Roots.request
]
