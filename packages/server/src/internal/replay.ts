/**
 * Asking in a legacy session the way 2026-07-28 asks: each round interrupts the handler, and its answers run it again
 * from its start, with the state of the call sealed in between. A handler that would not bear that shows it here.
 */
import * as Capabilities from "@pushbutton/protocol/Capabilities"
import type * as InputRequired from "@pushbutton/protocol/InputRequired"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import type { ProtocolError } from "@pushbutton/protocol/ProtocolError"
import * as Effect from "effect/Effect"
import type { RandomBytes } from "../RandomBytes.js"
import type { Binding } from "../RequestState.js"
import {
  type Answer,
  AskChanged,
  type Asking,
  failed,
  fingerprintOf,
  type NoAnswer,
  type Question,
  type Steps,
  unusable
} from "./asking.js"
import { type Left, left } from "./frame.js"
import type { LazyClient } from "./lazyClient.js"
import { Rounds, type Settings } from "./rounds.js"
import type { SessionClient } from "./sessionClient.js"

interface Unanswered {
  readonly fingerprint: string
  readonly answer: NoAnswer
}

export class Replay implements Asking {
  private readonly lazy: LazyClient
  private readonly settings: Settings
  private readonly binding: Binding
  private current: Rounds | undefined
  private asked = 0
  private readonly unanswered = new Map<string, Unanswered>()

  constructor(lazy: LazyClient, settings: Settings, binding: Binding) {
    this.lazy = lazy
    this.settings = settings
    this.binding = binding
  }

  private get client(): SessionClient {
    return this.lazy.client
  }

  private get rounds(): Rounds {
    this.current ??= this.round({ inputResponses: undefined, requestState: undefined })
    return this.current
  }

  get steps(): Steps {
    return this.rounds.steps
  }

  get hasLeft(): boolean {
    return this.rounds.hasLeft
  }

  supports(needs: JsonObject): boolean {
    return Capabilities.missing(needs, this.client.askable) === undefined
  }

  answer(questions: ReadonlyArray<Question>): Effect.Effect<ReadonlyArray<Answer>> {
    return Effect.suspend((): Effect.Effect<ReadonlyArray<Answer>> => {
      const refusals = this.client.refuse(questions)
      if (refusals !== undefined) return Effect.succeed(refusals)
      const known = questions.map((question) => this.known(question))
      const open = questions.filter((_, index) => known[index] === undefined)
      return Effect.map(this.rounds.answer(open), (answers) => {
        const found = answers[Symbol.iterator]()
        return known.flatMap((answer) => answer ?? found.next().value ?? [])
      })
    })
  }

  complete(key: string): Effect.Effect<void> {
    return this.client.complete(key)
  }

  /** Runs the handler until it has no question left. */
  run<A, E, R>(
    attempt: (round: Rounds) => Effect.Effect<A | Left, E, R>
  ): Effect.Effect<A, E | ProtocolError, R | RandomBytes> {
    const round = Effect.suspend(() => attempt(this.rounds))
    return Effect.flatMap(round, (result) =>
      result === left ? Effect.zipRight(this.askAll, this.run(attempt)) : Effect.succeed(result)
    )
  }

  private known({ key, request }: Question): NoAnswer | undefined {
    const before = this.unanswered.get(key)
    if (before !== undefined && before.fingerprint !== fingerprintOf(request)) throw new AskChanged({ key })
    return before?.answer
  }

  private readonly askAll: Effect.Effect<void, ProtocolError, RandomBytes> = Effect.gen(this, function* () {
    const { inputRequests = new Map() } = yield* this.rounds.result
    this.asked += 1
    const answers = yield* Effect.forEach(
      inputRequests,
      ([key, request]) => Effect.map(this.ask(key, request), (answer) => ({ key, request, answer })),
      { concurrency: "unbounded" }
    )
    const responses: Array<readonly [string, JsonValue]> = []
    for (const { answer, key, request } of answers) {
      if (answer?._tag === "Response") responses.push([key, answer.response])
      else if (answer !== undefined) {
        this.unanswered.set(key, { fingerprint: fingerprintOf(request), answer })
      }
    }
    // Sealed once more: the client may have taken longer than a state lasts.
    const { requestState } = yield* this.rounds.result
    this.current = this.round({ inputResponses: Object.fromEntries(responses), requestState })
  })

  private ask(key: string, request: InputRequired.InputRequest): Effect.Effect<Answer | undefined> {
    return this.asked > this.settings.maxRounds
      ? Effect.succeed(failed(unusable(this.settings.maxRounds)))
      : this.client.ask(key, request)
  }

  /** The end of the rounds is this class's own; it answers the last questions instead of ending the call. */
  private round(retry: InputRequired.Retry): Rounds {
    const settings = { ...this.settings, maxRounds: Number.POSITIVE_INFINITY }
    return new Rounds(settings, this.binding, this.client.askable, retry)
  }
}
