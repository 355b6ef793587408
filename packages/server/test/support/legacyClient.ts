/** A client of a handshake revision: it calls, answers what it is asked meanwhile, and keeps what it was sent. */
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import type { LegacyVersion } from "@pushbutton/protocol/ProtocolVersion"
import type { Facts } from "@pushbutton/server/Decision"
import { Dispatcher } from "@pushbutton/server/Dispatcher"
import type { LegacySession } from "@pushbutton/server/LegacySession"
import * as TestSession from "@pushbutton/server/testing/TestSession"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { makeInFlight } from "./inFlight.js"

// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of any shape, and a wrong look fails the test.
type Json = any

/** What the client is asked: a request as it came. */
export interface Asked {
  readonly id: JsonRpc.RequestId
  readonly method: string
  readonly params: Json
}

/** What it answers: a `result` or an `error`. Undefined: nothing, as long as it is not made to. */
export type User = (asked: Asked) => object | undefined

export interface Options {
  readonly capabilities?: LegacySession["clientCapabilities"]
  readonly user?: User
  /** Whether the handshake is still open. */
  readonly isEarly?: boolean
  /** `none`: the peer reads nothing before the response. `sessionless`: and no session is kept. */
  readonly stream?: "own" | "none" | "sessionless"
}

export interface Started {
  /** Undefined: the call ended without one. */
  readonly reply: Effect.Effect<Reply | undefined>
  readonly cancel: Effect.Effect<boolean>
  /** Ends it as a shutdown does. */
  readonly drain: Effect.Effect<void>
}

export interface Reply {
  readonly status: number
  readonly text: string | undefined
  readonly isError: boolean
  readonly result: Json
  readonly error: { readonly code: number; readonly message: string; readonly data?: Json } | undefined
}

export const all: LegacySession["clientCapabilities"] = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {}
}

const silent: User = () => undefined

export const connect = (version: LegacyVersion, options: Options = {}) =>
  Effect.gen(function* () {
    const { capabilities = all, isEarly = false, stream = "own", user = silent } = options
    const { decide } = yield* Dispatcher
    const inFlight = yield* makeInFlight<JsonRpc.RequestId>()
    const session = TestSession.make({ version, clientCapabilities: capabilities })
    if (!isEarly) session.initialized()
    const facts: Facts =
      stream === "sessionless"
        ? { header: (name) => headers(version).get(name), session: undefined, isSessionless: true }
        : { header: undefined, session }
    const sent: Array<Json> = []
    let lastId = 0
    let onAsked: (() => void) | undefined

    const asked = (): ReadonlyArray<Asked> => sent.filter(({ id, method }) => id !== undefined && method)

    const respond = (id: JsonRpc.RequestId, response: object) =>
      decide(JsonRpc.decode(JSON.stringify({ jsonrpc: "2.0", id, ...response })), facts)

    const take = (text: string) => {
      const message: Json = JSON.parse(text)
      sent.push(message)
      const response = message.id === undefined || !message.method ? undefined : user(message)
      if (response !== undefined) respond(message.id, response)
      onAsked?.()
    }

    const ask = (request: () => string) =>
      Effect.sync(() => {
        take(request())
        return true
      })

    const start = (method: string, params: object): Effect.Effect<Started> =>
      Effect.gen(function* () {
        const id = ++lastId
        const decision = decide(JsonRpc.decode(JSON.stringify({ jsonrpc: "2.0", id, method, params })), facts)
        if (decision._tag !== "Call") return yield* Effect.die(decision)
        const settled = yield* Deferred.make<Reply | undefined>()
        const outlet = {
          notify: (text: string) => Effect.sync(() => take(text)),
          ...(stream === "own" ? { questions: { ask, takeBack: take } } : {})
        }
        inFlight.start(id, decision.call, outlet, (reply) =>
          Deferred.unsafeDone(settled, Effect.succeed(reply && read(reply)))
        )
        return {
          reply: Deferred.await(settled),
          cancel: Effect.sync(() => inFlight.cancel(id)),
          drain: inFlight.drain(0)
        }
      })

    return {
      session,
      /** All that came ahead of responses, in order. */
      sent,
      asked,
      respond,
      start,
      /** Waits until it has been asked so often. */
      askedTimes: (count: number) =>
        Effect.async<void>((resume) => {
          const look = () => {
            if (asked().length < count) return
            onAsked = undefined
            resume(Effect.void)
          }
          onAsked = look
          look()
        }),
      call: (name: string, args: object = {}) =>
        Effect.flatMap(start("tools/call", { name, arguments: args }), ({ reply }) => reply)
    }
  })

const headers = (version: LegacyVersion) => new Map([["mcp-protocol-version", version]])

const read = ({ status, text }: { readonly status: number; readonly text: string }): Reply => {
  const { error, result } = JSON.parse(text)
  return {
    status,
    text: result?.content?.[0]?.text,
    isError: result?.isError === true,
    result,
    error
  }
}
