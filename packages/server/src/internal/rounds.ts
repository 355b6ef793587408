/**
 * Asking on 2026-07-28: a request that asks ends with its questions and comes back, as a new request, with the
 * answers. One `Rounds` is one such request. A handler runs from its start each time; what has been answered and
 * done before resolves at once.
 */
import * as Capabilities from "@pushbutton/protocol/Capabilities"
import type * as InputRequired from "@pushbutton/protocol/InputRequired"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as Json from "@pushbutton/protocol/Json"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as Effect from "effect/Effect"
import type { RandomBytes } from "../RandomBytes.js"
import type { Binding, RequestState, RequestStateTooLarge } from "../RequestState.js"
import {
  type Answer,
  AskChanged,
  type Asking,
  fingerprintOf,
  type Question,
  Steps,
  unusable
} from "./asking.js"
import { Frame } from "./frame.js"
import * as Memory from "./memory.js"

export interface Settings {
  readonly states: RequestState["Type"]
  /** Rounds of one call before it is given up. */
  readonly maxRounds: number
}

/** What this call has done and was told so far. */
interface Remembered {
  readonly steps: Steps
  readonly answers: Map<string, Memory.Answered>
  /** What is asked in this round. */
  readonly open: Map<string, Question>
}

export class Rounds implements Asking {
  private readonly settings: Settings
  private readonly binding: Binding
  private readonly declared: JsonObject
  private readonly retry: InputRequired.Retry
  readonly frame = new Frame()
  private rounds = 0
  /** Undefined without a state: then whatever is in the responses may answer. */
  private asked: ReadonlyMap<string, string> | undefined
  private ownMemory: Remembered | undefined
  private lacking: JsonObject | undefined
  /** Kept, for the fiber that finds it may be one whose end nobody sees. */
  private changed: AskChanged | undefined

  constructor(settings: Settings, binding: Binding, declared: JsonObject, retry: InputRequired.Retry) {
    this.settings = settings
    this.binding = binding
    this.declared = declared
    this.retry = retry
  }

  /** Made when it is needed: most handlers ask nothing. */
  private get remembered(): Remembered {
    this.ownMemory ??= { steps: new Steps(), answers: new Map(), open: new Map() }
    return this.ownMemory
  }

  get steps(): Steps {
    return this.remembered.steps
  }

  /** Whether the handler was left with something unanswered. */
  get hasLeft(): boolean {
    return this.frame.hasLeft
  }

  /** Brings back what earlier rounds have brought, ahead of the handler; undefined where there were none. */
  get prelude(): Effect.Effect<void, ProtocolError.InvalidRequestState, RandomBytes> | undefined {
    const { requestState } = this.retry
    return requestState === undefined ? undefined : this.remember(requestState)
  }

  supports(needs: JsonObject): boolean {
    return Capabilities.missing(needs, this.declared) === undefined
  }

  answer(questions: ReadonlyArray<Question>): Effect.Effect<ReadonlyArray<Answer>> {
    return Effect.suspend(() => {
      const found: Array<Answer> = []
      for (const question of questions) {
        const response = this.responseTo(question)
        if (response === undefined) this.ask(question)
        else found.push({ _tag: "Response", response })
      }
      return found.length === questions.length ? Effect.succeed(found) : this.frame.leave()
    })
  }

  /** Nobody can be told: a client of 2026-07-28 comes back by itself. */
  complete(): Effect.Effect<void> {
    return Effect.void
  }

  /** The result that asks; to be read once the handler has been left. */
  get result(): Effect.Effect<InputRequired.InputRequired, ProtocolError.ProtocolError, RandomBytes> {
    if (this.changed !== undefined) return Effect.die(this.changed)
    if (this.lacking !== undefined) {
      return Effect.fail(new ProtocolError.MissingRequiredClientCapability({ required: this.lacking }))
    }
    if (this.rounds >= this.settings.maxRounds) {
      return Effect.fail(unusable(this.rounds))
    }
    const payload = Memory.encode({
      rounds: this.rounds + 1,
      asked: new Map(
        Array.from(this.remembered.open, ([key, question]) => [key, fingerprintOf(question.request)])
      ),
      answers: this.remembered.answers,
      steps: this.steps.results
    })
    const inputRequests = new Map(Array.from(this.remembered.open, ([key, { request }]) => [key, request]))
    return this.settings.states.seal(payload, this.binding).pipe(
      Effect.map((requestState) => ({ inputRequests, requestState })),
      Effect.catchTag("RequestStateTooLarge", (error) => this.tooLarge(error))
    )
  }

  /** The client's answers are its own to shorten; the results of steps are a mistake of the handler. */
  private tooLarge(error: RequestStateTooLarge): Effect.Effect<never, ProtocolError.InvalidParams> {
    const answers = JSON.stringify(Array.from(this.remembered.answers.values()))
    const steps = JSON.stringify(Array.from(this.steps.results))
    if (steps.length >= answers.length) return Effect.die(error)
    const detail = `The answers of this call are too large to carry: ${error.length} of ${error.limit} characters`
    return Effect.fail(new ProtocolError.InvalidParams({ detail }))
  }

  private remember(requestState: string) {
    return Effect.flatMap(this.settings.states.open(requestState, this.binding), (payload) => {
      const memory = Memory.decode(payload)
      if (memory === undefined) return Effect.fail(new ProtocolError.InvalidRequestState())
      this.rounds = memory.rounds
      this.asked = memory.asked
      for (const [key, answered] of memory.answers) this.remembered.answers.set(key, answered)
      for (const [key, result] of memory.steps) this.steps.results.set(key, result)
      return Effect.void
    })
  }

  /** Undefined while it has none that fits; then it is asked, again if it has been asked before. */
  private responseTo(question: Question): JsonValue | undefined {
    const { key } = question
    const own = fingerprintOf(question.request)
    const before = this.remembered.answers.get(key)
    const pending = this.remembered.open.get(key)
    const known = before?.fingerprint ?? (pending && fingerprintOf(pending.request)) ?? this.asked?.get(key)
    if (known !== undefined && known !== own) {
      this.changed = new AskChanged({ key })
      throw this.changed
    }
    const response = before === undefined ? this.fresh(key) : before.response
    if (response === undefined || question.refuse(response) !== undefined) return undefined
    this.remembered.answers.set(key, { fingerprint: own, response })
    return response
  }

  /** A response to the last round. Others are ignored, as are all that come without the state they belong to, where that counts. */
  private fresh(key: string): JsonValue | undefined {
    const { inputResponses } = this.retry
    if (inputResponses === undefined) return undefined
    const counts = this.asked === undefined ? !this.settings.states.isSingleUse : this.asked.has(key)
    return counts ? Json.own(inputResponses, key) : undefined
  }

  private ask(question: Question): void {
    this.remembered.answers.delete(question.key)
    this.remembered.open.set(question.key, question)
    const missing = Capabilities.missing(question.needs, this.declared)
    if (missing !== undefined) this.lacking = Capabilities.union(this.lacking ?? {}, missing)
  }
}
