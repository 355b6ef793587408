/**
 * How the ask of a handler reaches the client: what `Ask` and `Step` need of a request. Each way of asking implements
 * it once; a handler cannot tell them apart (`askWays.ts` chooses).
 */
import type { InputRequest } from "@pushbutton/protocol/InputRequired"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { canonicalJson } from "./canonicalJson.js"
import { fingerprint } from "./fingerprint.js"
import { Gates } from "./gates.js"

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
  { readonly _tag: "Response"; readonly response: JsonValue } | NoAnswer

export type NoAnswer =
  | { readonly _tag: "Unavailable"; readonly reason: string }
  | { readonly _tag: "Failed"; readonly code: number; readonly message: string }

export interface Asking {
  readonly supports: (needs: JsonObject) => boolean
  /** Asks all of them at once; one answer each, in their order. May leave the handler instead of returning. */
  readonly answer: (questions: ReadonlyArray<Question>) => Effect.Effect<ReadonlyArray<Answer>>
  /** Tells the client that the page of this question is done with, where the client can be told. */
  readonly complete: (key: string) => Effect.Effect<void>
  readonly steps: Steps
  /** Whether it has left the handler, which ends then by itself. */
  readonly hasLeft: boolean
}

/** The results of the steps that have run, by key; undefined is a result too. */
export class Steps extends Gates {
  readonly results = new Map<string, JsonValue | undefined>()
}

/** A request's way to ask; without one nothing can be asked. */
export interface MayAsk {
  readonly [asking]?: Asking
}

/** Where nothing can be asked. */
export const unavailable = (reason: string): Asking => ({
  supports: () => false,
  answer: (questions) => Effect.succeed(questions.map(() => ({ _tag: "Unavailable", reason }))),
  complete: () => Effect.void,
  steps: new Steps(),
  hasLeft: false
})

/** The answer to a question that was asked, when the client does not say itself what went wrong. */
export const failed = (error: ProtocolError.ProtocolError): NoAnswer => {
  const { code, message } = ProtocolError.toErrorObject(error, "legacy")
  return { _tag: "Failed", code, message }
}

/** After so many rounds nothing usable is expected any more. */
export const unusable = (rounds: number): ProtocolError.InvalidParams =>
  new ProtocolError.InvalidParams({ detail: `no usable answer in ${rounds} rounds` })

/** A handler asks something else under a key than it did before: an answer would be given to the wrong question. */
export class AskChanged extends Data.TaggedError("AskChanged")<{ readonly key: string }> {
  override get message() {
    return `The ask ${JSON.stringify(this.key)} differs from what this call asked under that key before`
  }
}

export const fingerprintOf = (request: InputRequest): string => fingerprint(canonicalJson(toJson(request)))

/** The request as it is sent. */
const toJson = (request: InputRequest): JsonValue => JSON.parse(JSON.stringify(request))
