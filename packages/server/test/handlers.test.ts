/** What handlers may count on, whatever registers or runs them. */
import { assert, describe, it } from "@effect/vitest"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import { Dispatcher } from "@pushbutton/server/Dispatcher"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Progress from "@pushbutton/server/Progress"
import type { RequestContext } from "@pushbutton/server/RequestContext"
import * as Tool from "@pushbutton/server/Tool"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { modern, send } from "./support/conversation.js"
import { makeInFlight } from "./support/inFlight.js"

const input = Schema.Struct({})

const call = (name: string, args: object = {}, meta: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: modern({ name, arguments: args }, { ...meta })
})

const serving = (...tools: ReadonlyArray<Tool.Tool<RequestContext>>) =>
  Layer.provideMerge(McpServer.tools(...tools), McpServer.layer({ name: "test", version: "1" })).pipe(
    Layer.provide(Logger.remove(Logger.defaultLogger))
  )

describe("a handler", () => {
  it.effect("has a scope of its own, closed when it has ended and before its reply", () =>
    Effect.gen(function* () {
      const open: Array<string> = []
      const tool = Tool.make("acquires", {
        input,
        handler: () =>
          Effect.as(
            Effect.acquireRelease(
              Effect.sync(() => void open.push("resource")),
              () => Effect.sync(() => void open.pop())
            ),
            "held"
          )
      })
      const server = Layer.provideMerge(
        McpServer.tools(tool),
        McpServer.layer({ name: "test", version: "1" })
      )
      const left = yield* Effect.provide(
        Effect.forEach([1, 2, 3], () => Effect.as(send(call("acquires")), open.length)),
        server
      )
      assert.deepStrictEqual(left, [0, 0, 0])
    })
  )

  it.effect("that throws, or whose Schema throws, is an internal error of its own request", () =>
    Effect.gen(function* () {
      const Picky = Schema.Struct({
        url: Schema.String.pipe(Schema.filter((text) => new URL(text) !== undefined))
      })
      const server = serving(Tool.make("picky", { input: Picky, handler: () => Effect.succeed("ok") }), {
        definition: { name: "careless", inputSchema: { type: "object" } },
        call: () => {
          throw new Error("no effect at all")
        }
      })
      const codes = yield* Effect.provide(
        Effect.forEach([call("picky", { url: "not a url" }), call("careless")], (message) => send(message)),
        server
      )
      assert.deepStrictEqual(
        codes.map((answer) => JSON.parse(JSON.stringify(answer?.body)).error.code),
        [-32603, -32603]
      )
    })
  )

  // verifies: PROG-02, PROG-07, HTTP-26
  it.effect("is heard neither after its reply nor after a cancel", () =>
    Effect.gen(function* () {
      const late = yield* Deferred.make<Effect.Effect<void>>()
      const started = yield* Deferred.make<void>()
      const reports = Effect.map(Progress.reporter, (report) => (progress: number) => report({ progress }))
      const server = serving(
        Tool.make("late", {
          input,
          handler: () =>
            Effect.gen(function* () {
              const report = yield* reports
              yield* Deferred.succeed(late, report(2))
              yield* report(1)
              return "done"
            })
        }),
        Tool.make("cancelled", {
          input,
          handler: () =>
            Effect.flatMap(reports, (report) =>
              Effect.zipRight(Deferred.succeed(started, undefined), Effect.never).pipe(
                Effect.onInterrupt(() => report(1))
              )
            )
        })
      )
      yield* Effect.gen(function* () {
        const answer = yield* send(call("late", {}, { progressToken: 1 }))
        yield* yield* Deferred.await(late)
        assert.strictEqual(answer?.notifications.length, 1)

        const { decide } = yield* Dispatcher
        const inFlight = yield* makeInFlight<string>()
        const decision = decide(JsonRpc.decode(JSON.stringify(call("cancelled", {}, { progressToken: 1 }))), {
          header: undefined,
          session: undefined
        })
        const lines: Array<string> = []
        const settled = yield* Deferred.make<unknown>()
        assert.strictEqual(decision._tag, "Call")
        if (decision._tag === "Call") {
          inFlight.start(
            "a",
            decision.call,
            { notify: (line) => Effect.sync(() => void lines.push(line)) },
            (reply) => Deferred.unsafeDone(settled, Effect.succeed(reply))
          )
        }
        yield* Deferred.await(started)
        inFlight.cancel("a")
        assert.isUndefined(yield* Deferred.await(settled))
        assert.deepStrictEqual(lines, [])
      }).pipe(Effect.scoped, Effect.provide(server))
    })
  )

  it.effect("can be interrupted although its server was built where nothing can", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const inFlight = yield* Effect.uninterruptible(Scope.extend(makeInFlight<string>(), scope))
      const settled = yield* Deferred.make<unknown>()
      inFlight.start(
        "a",
        {
          id: 1,
          era: "modern",
          start: (_, fork) => fork(Effect.never, Context.empty()),
          refuse: (reason) => ({ status: 200, text: reason._tag })
        },
        { notify: () => Effect.void },
        (reply) => Deferred.unsafeDone(settled, Effect.succeed(reply))
      )
      inFlight.cancel("a")
      assert.isUndefined(yield* Deferred.await(settled))
      yield* Scope.close(scope, Exit.void)
    })
  )
})
