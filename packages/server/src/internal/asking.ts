/**
 * How the ask of a handler reaches the client: what `Ask` and `Step` need of a request. Each way of asking implements
 * it once; a handler cannot tell them apart.
 */
import type { InputRequest } from "@pushbutton/protocol/InputRequired"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as Effect from "effect/Effect"

/** Where a request context keeps its `Asking`; not for authors. */
export const asking: unique symbol = Symbol("@pushbutton/server/asking")

export interface Question {
  /** Names the question within its call, on every round. */
  readonly key: string
  readonly request: InputRequest
  /** The client capabilities it takes. */
  readonly needs: JsonObject
  /** Why a response does not answer it; undefined when it does. */
  readonly refuse: (response: JsonValue) => string | undefined
}

export type Answer =
  /** One that the question does not refuse. */
  | { readonly _tag: "Response"; readonly response: JsonValue }
  | { readonly _tag: "Unavailable"; readonly reason: string }
  | { readonly _tag: "Failed"; readonly code: number; readonly message: string }

export interface Asking {
  readonly supports: (needs: JsonObject) => boolean
  /** Asks all of them at once; one answer each, in their order. May leave the handler instead of returning. */
  readonly answer: (questions: ReadonlyArray<Question>) => Effect.Effect<ReadonlyArray<Answer>>
  readonly steps: Steps
  /** Whether it has left the handler, which ends then by itself. */
  readonly hasLeft: boolean
}

/** The results of the steps that have run, by key; undefined is a result too. */
export class Steps {
  readonly results = new Map<string, JsonValue | undefined>()
  private gates: Map<string, Effect.Semaphore> | undefined

  /** One at a time for each key. */
  gate(key: string): Effect.Semaphore {
    this.gates ??= new Map()
    const existing = this.gates.get(key)
    if (existing !== undefined) return existing
    const gate = Effect.unsafeMakeSemaphore(1)
    this.gates.set(key, gate)
    return gate
  }
}

/** A request's way to ask; without one nothing can be asked. */
export interface MayAsk {
  readonly [asking]?: Asking
}

/** Where nothing can be asked. */
export const unavailable = (reason: string): Asking => ({
  supports: () => false,
  answer: (questions) => Effect.succeed(questions.map(() => ({ _tag: "Unavailable", reason }))),
  steps: new Steps(),
  hasLeft: false
})
