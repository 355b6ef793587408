/** A client of 2026-07-28 without a transport: it calls tools of a Dispatcher and reads what comes back. */
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import type { Subscription } from "@pushbutton/server/Decision"
import { Dispatcher } from "@pushbutton/server/Dispatcher"
import * as InFlight from "@pushbutton/server/InFlight"
import * as RandomBytes from "@pushbutton/server/RandomBytes"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"

export const asks = { elicitation: { form: {} } }
export const followsTasks = { extensions: { "io.modelcontextprotocol/tasks": {} } }

export interface Options {
  readonly capabilities?: object
  readonly progressToken?: string
  /** What else is in `_meta`. */
  readonly meta?: object
}

export interface Reply {
  /** Of the result; empty for an error. */
  readonly [member: string]: unknown
}

/** Shared, so that no two nonces of a test are equal. */
const random = RandomBytes.makeTest()

/** Sends requests, one after the other or at the same time. */
export const client = Effect.gen(function* () {
  const dispatcher = yield* Dispatcher
  const inFlight = yield* Effect.provideService(InFlight.make<number>(), RandomBytes.RandomBytes, random)
  const notifications: Array<unknown> = []
  let ids = 0

  const decide = (id: number, method: string, params: object, options: Options) =>
    dispatcher.decide(
      JsonRpc.decode(
        JSON.stringify({
          jsonrpc: "2.0",
          id,
          method,
          params: {
            ...params,
            _meta: {
              ...options.meta,
              "io.modelcontextprotocol/protocolVersion": "2026-07-28",
              "io.modelcontextprotocol/clientCapabilities": options.capabilities ?? {},
              ...(options.progressToken === undefined ? {} : { progressToken: options.progressToken })
            }
          }
        })
      ),
      { header: undefined, session: undefined }
    )

  /** Sends a request and gives what waits for its answer; undefined comes of one that was cancelled. */
  const start = (method: string, params: object, options: Options = {}) =>
    Effect.gen(function* () {
      const id = ++ids
      const decision = decide(id, method, params, options)
      if (decision._tag === "Reply") {
        return { reply: Effect.succeed(resultOf(decision.reply.text)), cancel: Effect.void }
      }
      if (decision._tag !== "Call") return yield* Effect.dieMessage(`${method} was not a call`)
      const settled = yield* Deferred.make<Reply>()
      const outlet = {
        notify: (line: string) => Effect.sync(() => void notifications.push(JSON.parse(line)))
      }
      inFlight.start(id, decision.call, outlet, (reply) => {
        if (reply !== undefined) Deferred.unsafeDone(settled, Effect.succeed(resultOf(reply.text)))
      })
      return { reply: Deferred.await(settled), cancel: Effect.sync(() => void inFlight.cancel(id)) }
    })

  const send = (method: string, params: object, options: Options = {}) =>
    Effect.flatMap(start(method, params, options), ({ reply }) => reply)

  /** The messages of a subscription, as they come. */
  const listen = (params: object) =>
    Effect.gen(function* () {
      const decision = decide(++ids, "subscriptions/listen", params, {})
      if (decision._tag !== "Listen") return yield* Effect.dieMessage("no subscription")
      const messages = yield* Queue.unbounded<{ readonly method?: string }>()
      let subscription: Subscription | undefined
      const takeAll = () => {
        for (let text = subscription?.take(); text !== undefined; text = subscription?.take()) {
          Queue.unsafeOffer(messages, JSON.parse(text))
        }
      }
      subscription = decision.listen.open({ tellsEnd: true, wake: takeAll })
      takeAll()
      return messages
    })

  return {
    start,
    send,
    listen,
    notifications: () => [...notifications],
    call: (name: string, args: object, options?: Options) =>
      send("tools/call", { name, arguments: args }, options),
    tools: Effect.map(
      send("tools/list", {}),
      ({ tools }): ReadonlyArray<Reply> => (Array.isArray(tools) ? tools : [])
    )
  }
})

const resultOf = (text: string): Reply => JSON.parse(text).result ?? {}

/** The JSON that a tool's text is. */
export const said = (reply: Reply) => JSON.parse(textOf(reply))

export const textOf = (reply: Reply): string => {
  const { content } = reply
  return Array.isArray(content) ? String(content[0]?.text) : ""
}
