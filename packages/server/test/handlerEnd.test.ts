import { assert, describe, it } from "@effect/vitest"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as Ask from "@pushbutton/server/Ask"
import { Dispatcher } from "@pushbutton/server/Dispatcher"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Progress from "@pushbutton/server/Progress"
import type { RequestContext } from "@pushbutton/server/RequestContext"
import * as RequestState from "@pushbutton/server/RequestState"
import * as Tool from "@pushbutton/server/Tool"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { LazyScope } from "../src/internal/lazyScope.js"
import { everything } from "./support/client.js"
import { modern } from "./support/conversation.js"
import { makeInFlight } from "./support/inFlight.js"
import { quiet } from "./support/logs.js"
import { call, start } from "./support/telling.js"

const ask = Ask.form("name", { message: "Who?", schema: Schema.Struct({ name: Schema.String }) })

type Handler = Effect.Effect<string, unknown, RequestContext | Scope.Scope>

const tools = (handler: Handler) =>
  McpServer.tools(Tool.make("t", { input: Schema.Struct({}), handler: () => handler }))

/** One step of progress at once, and the next one ahead of the response. */
const options: McpServer.Options = { name: "test", version: "1", progress: { burst: 1, interval: "1 hour" } }

const serving = (handler: Handler) => Layer.provideMerge(tools(handler), McpServer.layer(options))

const capable = { "io.modelcontextprotocol/clientCapabilities": everything }

const asksForName = (messages: ReadonlyArray<{ readonly result?: { readonly inputRequests?: object } }>) =>
  assert.deepStrictEqual(Object.keys(messages.at(-1)?.result?.inputRequests ?? {}), ["name"])

describe("the end of a handler", () => {
  for (const meta of [capable, { ...capable, progressToken: 1 }]) {
    const how = "progressToken" in meta ? "with progress" : "without progress"

    it.effect(`can still be a question, when a finalizer asks (${how})`, () =>
      Effect.gen(function* () {
        const handler = Effect.as(
          Effect.addFinalizer(() => Effect.ignore(ask)),
          "done"
        )
        asksForName(yield* Effect.provide(call("t", { meta }), serving(handler)))
      }).pipe(Effect.provide(quiet))
    )

    it.effect(`can still be a question, when a child asks while resources are released (${how})`, () =>
      Effect.gen(function* () {
        const handler = Effect.gen(function* () {
          const releasing = yield* Deferred.make<void>()
          const child = yield* Effect.fork(Effect.zipRight(Deferred.await(releasing), ask))
          yield* Effect.addFinalizer(() =>
            Effect.zipRight(Deferred.succeed(releasing, undefined), Fiber.await(child))
          )
          return "done"
        })
        asksForName(yield* Effect.provide(call("t", { meta }), serving(handler)))
      }).pipe(Effect.provide(quiet))
    )
  }

  it.effect("is no question of a stray fiber that asks later, which ends instead", () =>
    Effect.gen(function* () {
      const over = yield* Deferred.make<void>()
      const stray = yield* Deferred.make<Fiber.Fiber<unknown, unknown>>()
      const handler = Effect.gen(function* () {
        yield* Deferred.succeed(stray, yield* Effect.forkDaemon(Effect.zipRight(Deferred.await(over), ask)))
        yield* Progress.report({ progress: 1 })
        yield* Progress.report({ progress: 2 })
        return "done"
      })
      let sent = 0
      // The second step goes out when the handler has ended.
      const pace = Effect.suspend(() => {
        sent += 1
        return sent === 1
          ? Effect.void
          : Effect.zipRight(
              Deferred.succeed(over, undefined),
              Effect.flatMap(Deferred.await(stray), (fiber) => Fiber.await(fiber))
            )
      })
      const meta = { ...capable, progressToken: 1 }
      const { answered, messages } = yield* Effect.provide(start("t", { meta, pace }), serving(handler))
      assert.isTrue(yield* answered)
      assert.strictEqual(messages.at(-1).result.content[0].text, "done")
      assert.isTrue(Exit.isInterrupted(yield* Fiber.await(yield* Deferred.await(stray))))
    }).pipe(Effect.scoped, Effect.provide(quiet))
  )

  const sealingForEver = Layer.succeed(
    RequestState.RequestState,
    RequestState.RequestState.of({
      seal: () => Effect.never,
      open: () => Effect.never,
      isSingleUse: false
    })
  )

  for (const [how, end] of [
    ["cancelled", "cancel"],
    ["drained", "drain"]
  ] as const) {
    it.effect(`can be ${how} while what was asked is sealed`, () =>
      Effect.gen(function* () {
        const { decide } = yield* Dispatcher
        const inFlight = yield* makeInFlight<number>()
        const settled = yield* Deferred.make<string | undefined>()
        const params = modern({ name: "t", arguments: {} }, capable)
        const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
        const decision = decide(JsonRpc.decode(message), { header: undefined, session: undefined })
        assert.strictEqual(decision._tag, "Call")
        if (decision._tag !== "Call") return
        inFlight.start(1, decision.call, { notify: () => undefined }, (reply) =>
          Deferred.unsafeDone(settled, Effect.succeed(reply?.text))
        )
        assert.isTrue(inFlight.has(1))
        if (end === "cancel") inFlight.cancel(1)
        else yield* inFlight.drain(0)
        const text = yield* Deferred.await(settled)
        if (end === "cancel") assert.isUndefined(text)
        else assert.include(text, "shutting down")
      }).pipe(
        Effect.scoped,
        Effect.provide(
          Layer.provideMerge(
            tools(Effect.as(ask, "done")),
            Layer.provide(McpServer.layerWithRequestState(options), sealingForEver)
          )
        ),
        Effect.provide(quiet)
      )
    )
  }

  it.effect("releases all that several fibers have acquired at once", () =>
    Effect.forEach(
      // Where the fibers take turns is somewhere else with each of them.
      Array.from({ length: 40 }, (_, index) => index + 10),
      (operations) =>
        Effect.gen(function* () {
          const scope = new LazyScope()
          const released: Array<number> = []
          yield* Effect.forEach(
            [1, 2, 3],
            (resource) =>
              Scope.addFinalizer(
                scope,
                Effect.sync(() => void released.push(resource))
              ),
            { concurrency: "unbounded" }
          ).pipe(Effect.withMaxOpsBeforeYield(operations))
          yield* Scope.close(scope, Exit.void)
          assert.sameMembers(released, [1, 2, 3], `${operations} operations`)
        })
    )
  )

  it.effect("releases at once what is acquired after it", () =>
    Effect.gen(function* () {
      const scope = new LazyScope()
      const released: Array<string> = []
      yield* Scope.close(scope, Exit.void)
      yield* Scope.addFinalizer(
        scope,
        Effect.sync(() => void released.push("late"))
      )
      assert.deepStrictEqual(released, ["late"])
    })
  )
})
