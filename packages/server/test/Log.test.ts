import { assert, describe, it } from "@effect/vitest"
import { type LoggingLevel, levels } from "@pushbutton/protocol/Logging"
import * as Log from "@pushbutton/server/Log"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Progress from "@pushbutton/server/Progress"
import type { RequestContext } from "@pushbutton/server/RequestContext"
import * as Tool from "@pushbutton/server/Tool"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { modern, send, session } from "./support/conversation.js"
import { captureLogs, quiet } from "./support/logs.js"
import { call, logMessages, start } from "./support/telling.js"

const input = Schema.Struct({})

const serving = (
  handler: Effect.Effect<unknown, never, RequestContext | Scope.Scope>,
  logging: McpServer.Options["logging"] = true
) =>
  Layer.provideMerge(
    McpServer.tools(Tool.make("work", { input, handler: () => Effect.as(handler, "done") })),
    McpServer.layer({ name: "test", version: "1", logging })
  )

const asking = (level: LoggingLevel) => ({ meta: { "io.modelcontextprotocol/logLevel": level } })

const silently = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, quiet)

const everyLevel = Effect.all([
  Effect.logTrace("trace"),
  Effect.logDebug("debug"),
  Effect.logInfo("info"),
  Effect.logWarning("warning"),
  Effect.logError("error"),
  Effect.logFatal("fatal")
])

describe("what a handler logs", () => {
  // verifies: LOG-04
  it.effect("reaches a client that asked, under the names of syslog and ahead of the response", () =>
    Effect.gen(function* () {
      const messages = yield* silently(Effect.provide(call("work", asking("debug")), serving(everyLevel)))
      assert.deepStrictEqual(logMessages(messages), [
        { level: "debug", data: "trace" },
        { level: "debug", data: "debug" },
        { level: "info", data: "info" },
        { level: "warning", data: "warning" },
        { level: "error", data: "error" },
        { level: "critical", data: "fatal" }
      ])
      assert.strictEqual(messages.at(-1).result.content[0].text, "done")
    })
  )

  it.effect("reaches a client also from what releases the handler's resources", () =>
    Effect.gen(function* () {
      const handler = Effect.zipRight(
        Effect.acquireRelease(Effect.logInfo("acquired"), () => Effect.logInfo("released")),
        Effect.flatMap(Effect.scope, (scope) => Scope.addFinalizer(scope, Effect.logInfo("let go")))
      )
      const messages = yield* silently(Effect.provide(call("work", asking("info")), serving(handler)))
      assert.deepStrictEqual(
        logMessages(messages).map((params) => params.data),
        ["acquired", "let go", "released"]
      )
      assert.strictEqual(messages.at(-1).result.content[0].text, "done")
    })
  )

  it.effect.each([
    ["info", ["info", "warning", "error", "critical"]],
    ["notice", ["warning", "error", "critical"]],
    ["warning", ["warning", "error", "critical"]],
    ["error", ["error", "critical"]],
    ["critical", ["critical"]],
    ["alert", []]
  ] as const)("is filtered at or above %s", ([level, expected]) =>
    Effect.gen(function* () {
      const messages = yield* silently(Effect.provide(call("work", asking(level)), serving(everyLevel)))
      assert.deepStrictEqual(
        logMessages(messages).map((params) => params.level),
        [...expected]
      )
    })
  )

  // verifies: LOG-03, P-75
  it.effect("goes to nobody who did not ask, or when the server does not log to clients", () =>
    Effect.gen(function* () {
      const off = Effect.provide(call("work", asking("debug")), serving(everyLevel, false))
      const unasked = Effect.provide(call("work"), serving(everyLevel))
      for (const messages of [yield* silently(off), yield* silently(unasked)]) {
        assert.strictEqual(messages.length, 1)
      }
    })
  )

  it.effect("never goes below the server's own minimum for clients", () =>
    Effect.gen(function* () {
      const server = serving(everyLevel, { minimum: "error" })
      const messages = yield* silently(Effect.provide(call("work", asking("debug")), server))
      assert.deepStrictEqual(
        logMessages(messages).map((params) => params.level),
        ["error", "critical"]
      )
    })
  )

  it.effect("goes to the server's own log as it did before, whatever the client asked for", () =>
    Effect.gen(function* () {
      const { layer, lines } = yield* captureLogs
      const verbose = Layer.provideMerge(layer, Layer.empty)
      for (const level of ["debug", "emergency"] as const) {
        yield* Effect.provide(call("work", asking(level)), serving(everyLevel)).pipe(Effect.provide(verbose))
        assert.deepStrictEqual(lines.splice(0), ["info", "warning", "error", "fatal"])
      }
    })
  )

  it.effect("stays on the stream of its own request", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const handler = Effect.zipRight(Deferred.await(gate), Effect.logInfo("here"))
      yield* Effect.gen(function* () {
        const one = yield* start("work", asking("info"))
        const other = yield* start("work")
        yield* Deferred.succeed(gate, undefined)
        yield* one.answered
        yield* other.answered
        assert.strictEqual(logMessages(one.messages).length, 1)
        assert.strictEqual(logMessages(other.messages).length, 0)
      }).pipe(Effect.scoped, Effect.provide(serving(handler)), silently)
    })
  )

  it.effect("comes in order with progress", () =>
    Effect.gen(function* () {
      const handler = Effect.gen(function* () {
        yield* Effect.logInfo("a")
        yield* Progress.report({ progress: 1 })
        yield* Effect.logInfo("b")
      })
      const { meta } = asking("info")
      const messages = yield* Effect.provide(
        call("work", { meta: { ...meta, progressToken: 1 } }),
        serving(handler)
      ).pipe(silently)
      assert.deepStrictEqual(
        messages.slice(0, -1).map(({ method, params }) => [method, params.data ?? params.progress]),
        [
          ["notifications/message", "a"],
          ["notifications/progress", 1],
          ["notifications/message", "b"]
        ]
      )
    })
  )

  it.effect("ends with a cancel", () =>
    Effect.gen(function* () {
      const handler = Effect.onInterrupt(Effect.never, () => Effect.logInfo("late"))
      yield* Effect.gen(function* () {
        const { answered, cancel, messages } = yield* start("work", asking("info"))
        yield* cancel
        assert.isFalse(yield* answered)
        assert.deepStrictEqual(messages, [])
      }).pipe(Effect.scoped, Effect.provide(serving(handler)), silently)
    })
  )

  it.effect("carries structure from annotations, and a name from the annotation logger or a span", () =>
    Effect.gen(function* () {
      const handler = Effect.gen(function* () {
        yield* Effect.annotateLogs(Effect.logInfo("built"), { build: 7, tags: ["a"] })
        yield* Effect.annotateLogs(Effect.logInfo("named"), "logger", "builder")
        yield* Effect.withLogSpan(Effect.logInfo("spanned"), "upload")
        yield* Effect.logInfo("two", "texts", 3)
        yield* Effect.logInfo({ step: 1 })
        yield* Effect.logInfo("mixed", { step: 2 })
      })
      const messages = yield* Effect.annotateLogs(
        Effect.provide(call("work", asking("info")), serving(handler)),
        "host",
        "internal-name"
      ).pipe(silently)
      assert.deepStrictEqual(
        logMessages(messages).map(({ level: _, ...rest }) => rest),
        [
          { data: { build: 7, tags: ["a"], message: "built" } },
          { data: "named", logger: "builder" },
          { data: "spanned", logger: "upload" },
          { data: "two texts 3" },
          { data: { step: 1 } },
          { data: ["mixed", { step: 2 }] }
        ]
      )
    })
  )

  // verifies: LOG-09, LO-05
  it.effect("shows neither causes nor stacks nor what errors say, and no secrets", () =>
    Effect.gen(function* () {
      const secret = new Error("secret")
      const unshowable = {
        get secret() {
          throw secret
        }
      }
      const loop: Record<string, unknown> = {}
      loop["loop"] = loop
      const handler = Effect.gen(function* () {
        yield* Effect.logError("failed", Cause.die(secret))
        yield* Effect.logError(Cause.die(secret))
        yield* Effect.logError("failed with", secret)
        yield* Effect.annotateLogs(Effect.logError("annotated"), {
          secret: Redacted.make("secret"),
          cause: Cause.die(secret)
        })
        yield* Effect.logError({ nested: { secret: secret, cause: Cause.fail("secret") } })
        yield* Effect.logError(unshowable)
        yield* Effect.logError(loop)
        yield* Effect.logError({ big: "x".repeat(100_000) })
        yield* Effect.logError(10n)
      })
      const messages = yield* silently(Effect.provide(call("work", asking("info")), serving(handler)))
      const shown = logMessages(messages).map(({ data }) => data)
      assert.deepStrictEqual(shown.slice(0, 5), [
        "failed",
        "failed with Error",
        { cause: "Cause", secret: "<redacted>", message: "annotated" },
        { nested: { secret: "Error", cause: "Cause" } },
        "A value that cannot be shown was logged"
      ])
      assert.strictEqual(shown.at(-1), "10")
      assert.notInclude(JSON.stringify(messages), ".ts:")
      assert.isBelow(JSON.stringify(messages).length, 20_000)
    })
  )

  // verifies: LOG-10
  it.effect("is bounded: what is too much is dropped, and counted in one line", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const many = (count: number) =>
        Effect.forEach(Array.from({ length: count }), (_, index) => Effect.logInfo(index))
      const handler = many(10).pipe(
        Effect.zipRight(Effect.logWarning("too late")),
        Effect.zipRight(Deferred.await(gate)),
        Effect.zipRight(Effect.logInfo("again")),
        Effect.zipRight(many(1))
      )
      yield* Effect.gen(function* () {
        const { answered, messages } = yield* start("work", asking("info"))
        assert.deepStrictEqual(
          logMessages(messages).map(({ data }) => data),
          [0, 1, 2]
        )
        yield* TestClock.adjust("1 seconds")
        yield* Deferred.succeed(gate, undefined)
        yield* answered
        assert.deepStrictEqual(logMessages(messages).slice(3), [
          { level: "warning", data: "8 log messages were dropped here: there were too many at once" },
          { level: "info", data: "again" },
          { level: "info", data: "1 log message was dropped here: there were too many at once" }
        ])
        assert.deepInclude(messages.at(-1), { id: 1 })
      }).pipe(Effect.scoped, Effect.provide(serving(handler, { burst: 3, interval: "1 seconds" })), silently)
    })
  )

  it.effect("waits for a client that reads slowly, up to a number, and holds up no handler", () =>
    Effect.gen(function* () {
      const reads = yield* Deferred.make<void>()
      const done = yield* Deferred.make<void>()
      const handler = Effect.zipRight(
        Effect.forEach(Array.from({ length: 50 }), (_, index) => Effect.logInfo(index)),
        Deferred.succeed(done, undefined)
      )
      yield* Effect.gen(function* () {
        const { answered, messages } = yield* start("work", {
          ...asking("info"),
          pace: Deferred.await(reads)
        })
        yield* Deferred.await(done)
        assert.deepStrictEqual(messages, [])
        yield* Deferred.succeed(reads, undefined)
        yield* answered
        assert.deepStrictEqual(
          logMessages(messages).map(({ data }) => data),
          [0, 1, 2, "47 log messages were dropped here: there were too many at once"]
        )
      }).pipe(Effect.scoped, Effect.provide(serving(handler, { burst: 3, interval: "1 seconds" })), silently)
    })
  )

  it.effect("keeps no more than a number for a client that has stopped to read, however long", () =>
    Effect.gen(function* () {
      const reads = yield* Deferred.make<void>()
      const handler = Effect.forEach(Array.from({ length: 20 }), (_, index) =>
        Effect.zipRight(Effect.logInfo(index), Effect.sleep("1 seconds"))
      )
      yield* Effect.gen(function* () {
        const { answered, messages } = yield* start("work", {
          ...asking("info"),
          pace: Deferred.await(reads)
        })
        yield* TestClock.adjust("20 seconds")
        yield* Deferred.succeed(reads, undefined)
        yield* answered
        assert.deepStrictEqual(
          logMessages(messages).map(({ data }) => data),
          [0, 1, 2, 3, "16 log messages were dropped here: there were too many at once"]
        )
      }).pipe(Effect.scoped, Effect.provide(serving(handler, { burst: 3, interval: "1 seconds" })), silently)
    })
  )
})

describe("Log.send", () => {
  it.effect("sends any of the eight levels and any data, and nothing to the server's own log", () =>
    Effect.gen(function* () {
      const { layer, lines } = yield* captureLogs
      const handler = Effect.forEach(levels, (level) => Log.send(level, { level }, "test"))
      const messages = yield* Effect.provide(call("work", asking("notice")), serving(handler)).pipe(
        Effect.provide(layer)
      )
      assert.deepStrictEqual(
        logMessages(messages),
        levels.slice(2).map((level) => ({ level, logger: "test", data: { level } }))
      )
      assert.deepStrictEqual(lines, [])
    })
  )

  it.effect("does nothing for a request that did not ask", () =>
    Effect.gen(function* () {
      const messages = yield* Effect.provide(call("work"), serving(Log.send("emergency", "x")))
      assert.strictEqual(messages.length, 1)
    })
  )
})

describe("the capability", () => {
  const discover = { jsonrpc: "2.0", id: 1, method: "server/discover", params: modern() }
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "old", version: "1" } }
  }
  const capabilities = (message: object, logging: boolean) =>
    Effect.map(
      Effect.provide(send(message), serving(Effect.void, logging)),
      (answer) => JSON.parse(JSON.stringify(answer?.body)).result.capabilities.logging
    )

  // verifies: LOG-02, LO-01, LC-17
  it.effect("is announced to clients of both eras when the server logs to them", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* capabilities(discover, true), {})
      assert.isUndefined(yield* capabilities(discover, false))
      assert.deepStrictEqual(yield* capabilities(initialize, true), {})
      assert.isUndefined(yield* capabilities(initialize, false))
    })
  )

  // verifies: LOG-11
  it.effect("brings no method", () =>
    Effect.gen(function* () {
      const params = modern({ level: "info" })
      const setLevel = { jsonrpc: "2.0", id: 1, method: "logging/setLevel", params }
      const answers = yield* Effect.provide(
        Effect.all([send(setLevel), send(setLevel, { session: session("2025-11-25") })]),
        serving(Effect.void)
      )
      for (const answer of answers) {
        assert.strictEqual(JSON.parse(JSON.stringify(answer?.body)).error.code, -32601)
      }
    })
  )

  // verifies: LOG-07, P-75
  it.effect("knows the eight names only", () =>
    Effect.gen(function* () {
      for (const level of ["warn", "WARNING", "fatal", "", 4, null]) {
        const params = modern({ name: "work" }, { "io.modelcontextprotocol/logLevel": level })
        const answer = yield* Effect.provide(
          send({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
          serving(Effect.void)
        )
        assert.strictEqual(JSON.parse(JSON.stringify(answer?.body)).error.code, -32602)
      }
    })
  )
})
