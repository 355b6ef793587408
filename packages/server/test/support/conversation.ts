/** A peer without a transport: sends JSON to a Dispatcher and reads what comes back, in order. */
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import type { Facts, Questions } from "@pushbutton/server/Decision"
import { Dispatcher } from "@pushbutton/server/Dispatcher"
import type { LegacySession } from "@pushbutton/server/LegacySession"
import * as TestSession from "@pushbutton/server/testing/TestSession"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { makeInFlight } from "./inFlight.js"

export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly notifications: ReadonlyArray<unknown>
}

export const headersOf = (headers: Record<string, string>): Facts["header"] => {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return (name) => byName.get(name)
}

/** Sends one message; undefined when nothing comes back. */
export const send = (message: unknown, facts: Partial<Facts> = {}, questions?: Questions) =>
  Effect.scoped(
    Effect.gen(function* () {
      const dispatcher = yield* Dispatcher
      const inFlight = yield* makeInFlight<JsonRpc.RequestId>()
      const text = typeof message === "string" ? message : JSON.stringify(message)
      const decision = dispatcher.decide(JsonRpc.decode(text), {
        header: undefined,
        session: undefined,
        ...facts
      })
      if (decision._tag === "Reply" || decision._tag === "Open") return answer(decision.reply, [])
      if (decision._tag !== "Call") return undefined
      const notifications: Array<unknown> = []
      const settled = yield* Deferred.make<Answer | undefined>()
      const outlet = {
        notify: (line: string) => Effect.sync(() => void notifications.push(JSON.parse(line))),
        questions
      }
      inFlight.start(decision.call.id, decision.call, outlet, (reply) =>
        Deferred.unsafeDone(settled, Effect.succeed(reply && answer(reply, notifications)))
      )
      return yield* Deferred.await(settled)
    })
  )

const answer = (
  { status, text }: { readonly status: number; readonly text: string },
  notifications: ReadonlyArray<unknown>
): Answer => ({ status, body: JSON.parse(text), notifications })

/** Params that make a request a modern one. */
export const modern = (params: Record<string, unknown> = {}, meta: Record<string, unknown> = {}) => ({
  ...params,
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    ...meta
  }
})

export const session = (
  version: LegacySession["version"],
  clientCapabilities: LegacySession["clientCapabilities"] = {}
): LegacySession => TestSession.make({ version, clientCapabilities })
