/**
 * Asking in a legacy session: questions go out as requests, and the handler waits where it asks. What was answered
 * under a key stays its answer, as it does where the handler runs again with each round.
 */

import * as Capabilities from "@pushbutton/protocol/Capabilities"
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as Effect from "effect/Effect"
import {
  type Answer,
  AskChanged,
  type Asking,
  failed,
  fingerprintOf,
  type Question,
  Steps,
  unusable
} from "./asking.js"
import { Gates } from "./gates.js"
import type { LazyClient } from "./lazyClient.js"
import type { SessionClient } from "./sessionClient.js"

/** What has been asked and answered so far. */
interface Conversation {
  readonly gates: Gates
  /** Fingerprints of the questions. */
  readonly asked: Map<string, string>
  readonly answers: Map<string, Answer>
}

export class Waiting implements Asking {
  readonly hasLeft = false
  private readonly lazy: LazyClient
  private readonly maxRounds: number
  private ownSteps: Steps | undefined
  private ownConversation: Conversation | undefined

  constructor(lazy: LazyClient, maxRounds: number) {
    this.lazy = lazy
    this.maxRounds = maxRounds
  }

  get steps(): Steps {
    this.ownSteps ??= new Steps()
    return this.ownSteps
  }

  private get client(): SessionClient {
    return this.lazy.client
  }

  private get conversation(): Conversation {
    this.ownConversation ??= { gates: new Gates(), asked: new Map(), answers: new Map() }
    return this.ownConversation
  }

  supports(needs: JsonObject): boolean {
    return Capabilities.missing(needs, this.client.askable) === undefined
  }

  /** Interruptible wherever the handler asks: a request that has ended must not wait for its client. */
  answer(questions: ReadonlyArray<Question>): Effect.Effect<ReadonlyArray<Answer>> {
    return Effect.suspend((): Effect.Effect<ReadonlyArray<Answer>> => {
      for (const question of questions) this.remember(question)
      const refusals = this.client.refuse(questions)
      return refusals === undefined
        ? Effect.forEach(questions, (question) => this.answerTo(question), { concurrency: "unbounded" })
        : Effect.succeed(refusals)
    }).pipe(Effect.interruptible)
  }

  complete(key: string): Effect.Effect<void> {
    return this.client.complete(key)
  }

  private remember({ key, request }: Question): void {
    const fingerprint = fingerprintOf(request)
    const { asked } = this.conversation
    const before = asked.get(key) ?? fingerprint
    if (before !== fingerprint) throw new AskChanged({ key })
    asked.set(key, fingerprint)
  }

  /** Who asks under a key while another does gets the same answer. */
  private answerTo(question: Question): Effect.Effect<Answer> {
    const { key } = question
    const { answers, gates } = this.conversation
    return gates.gate(key).withPermits(1)(
      Effect.suspend(() => {
        const known = answers.get(key)
        if (known !== undefined) return Effect.succeed(known)
        return Effect.tap(this.ask(question, 1), (answer) => Effect.sync(() => answers.set(key, answer)))
      })
    )
  }

  private ask(question: Question, round: number): Effect.Effect<Answer> {
    return Effect.flatMap(this.client.ask(question.key, question.request), (answer) => {
      const isUsable =
        answer !== undefined && (answer._tag !== "Response" || question.refuse(answer.response) === undefined)
      if (isUsable) return Effect.succeed(answer)
      return round < this.maxRounds
        ? this.ask(question, round + 1)
        : Effect.succeed(failed(unusable(this.maxRounds)))
    })
  }
}
