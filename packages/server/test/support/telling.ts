/** A client that watches what one call tells it, message by message. */
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import { Dispatcher } from "@pushbutton/server/Dispatcher"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { modern } from "./conversation.js"
import { makeInFlight } from "./inFlight.js"

export interface Options {
  readonly args?: object
  readonly meta?: object
  /** What the client does before it can take more. */
  readonly pace?: Effect.Effect<void>
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of any shape, and a wrong look fails the test.
type Json = any

/** Starts a call of 2026-07-28; `messages` grows by what arrives, the response last. */
export const start = (name: string, { args = {}, meta = {}, pace = Effect.void }: Options = {}) =>
  Effect.gen(function* () {
    const { decide } = yield* Dispatcher
    const inFlight = yield* makeInFlight<string>()
    const params = modern({ name, arguments: args }, { ...meta })
    const decision = decide(
      JsonRpc.decode(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })),
      { header: undefined, session: undefined }
    )
    if (decision._tag !== "Call") return yield* Effect.die(decision)
    const messages: Array<Json> = []
    const settled = yield* Deferred.make<boolean>()
    const notify = (line: string) =>
      Effect.zipLeft(
        pace,
        Effect.sync(() => void messages.push(JSON.parse(line)))
      )
    inFlight.start("call", decision.call, { notify }, (reply) => {
      if (reply !== undefined) messages.push(JSON.parse(reply.text))
      Deferred.unsafeDone(settled, Effect.succeed(reply !== undefined))
    })
    return {
      messages,
      /** Whether there was a response. */
      answered: Deferred.await(settled),
      cancel: Effect.sync(() => inFlight.cancel("call"))
    }
  })

/** All that a call tells, up to its response. */
export const call = (name: string, options?: Options) =>
  Effect.scoped(
    Effect.flatMap(start(name, options), ({ answered, messages }) => Effect.as(answered, messages))
  )

export const logMessages = (messages: ReadonlyArray<Json>): ReadonlyArray<Json> =>
  messages.filter(({ method }) => method === "notifications/message").map(({ params }) => params)

export const progressOf = (messages: ReadonlyArray<Json>): ReadonlyArray<number> =>
  messages.filter(({ method }) => method === "notifications/progress").map(({ params }) => params.progress)
