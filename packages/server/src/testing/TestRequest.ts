/** A request that no client sent, for tests of handlers: it notes what they report, and answers what they ask. */
import type { JsonValue } from "@pushbutton/protocol/Json"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Asking, asking, Steps } from "../internal/asking.js"
import { RequestContext } from "../RequestContext.js"

export interface Options extends Partial<Omit<RequestContext["Type"], "progress" | "log">> {
  /**
   * Responses to the questions a handler asks, by their keys, as a client would send them:
   * `{ action: "accept", content: { … } }` for a form. A question without one is unavailable.
   */
  readonly answers?: Readonly<Record<string, JsonValue>> | undefined
}

export interface TestRequest {
  readonly layer: Layer.Layer<RequestContext>
  /** What was reported so far, in order and unpaced. */
  readonly progress: () => ReadonlyArray<Parameters<RequestContext["Type"]["progress"]>[0]>
  /** What was sent with `Log.send` so far. */
  readonly log: () => ReadonlyArray<Parameters<RequestContext["Type"]["log"]>[0]>
}

export const make = ({ answers = {}, ...overrides }: Options = {}): TestRequest => {
  const progress: Array<Parameters<RequestContext["Type"]["progress"]>[0]> = []
  const log: Array<Parameters<RequestContext["Type"]["log"]>[0]> = []
  const context = RequestContext.of({
    id: 1,
    method: "tools/call",
    version: "2026-07-28",
    clientInfo: undefined,
    clientCapabilities: {},
    meta: {},
    logLevel: undefined,
    trace: undefined,
    header: undefined,
    principal: undefined,
    [asking]: scripted(answers),
    ...overrides,
    progress: (update) => Effect.sync(() => void progress.push(update)),
    log: (entry) => Effect.sync(() => void log.push(entry))
  })
  return {
    layer: Layer.succeed(RequestContext, context),
    progress: () => [...progress],
    log: () => [...log]
  }
}

const scripted = (answers: Readonly<Record<string, JsonValue>>): Asking => ({
  hasLeft: false,
  supports: () => true,
  complete: () => Effect.void,
  steps: new Steps(),
  answer: (questions) =>
    Effect.succeed(
      questions.map(({ key, refuse }) => {
        const response = Object.hasOwn(answers, key) ? answers[key] : undefined
        if (response === undefined) {
          return { _tag: "Unavailable", reason: `this test has no answer to ${key}` } as const
        }
        const problem = refuse(response)
        return problem === undefined
          ? ({ _tag: "Response", response } as const)
          : ({ _tag: "Failed", code: -32602, message: problem } as const)
      })
    )
})
