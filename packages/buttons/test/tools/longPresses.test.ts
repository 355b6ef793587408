/** Presses that take long: they become tasks for who can follow them, and are heard of until they end. */
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Buttons from "@pushbutton/buttons/Buttons"
import * as ButtonTools from "@pushbutton/buttons/ButtonTools"
import * as PressHistory from "@pushbutton/buttons/PressHistory"
import type * as PressRunner from "@pushbutton/buttons/PressRunner"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/TestClock"
import * as TimeLimit from "../../src/internal/timeLimit.js"
import { bearing } from "../support/bearing.js"
import * as Conversation from "../support/conversation.js"
import { button, json } from "../support/definitions.js"
import { exited, held, server } from "../support/served.js"
import * as Temporary from "../support/temporary.js"

const build = button("build", { mcp_enabled: true, timeout_seconds: 600 })
const quick = button("quick", { mcp_enabled: true, timeout_seconds: 5 })

const press = (name: string, more: object = {}) => ({
  name: "buttons_press",
  arguments: { name, ...more }
})

const withTasks = { capabilities: Conversation.followsTasks }
const settled = TestClock.adjust(0)

describe("a press that takes long", () => {
  it.effect("becomes a task after ten seconds, says how it goes, and ends as the call would have", () =>
    Effect.gen(function* () {
      const program = yield* held
      yield* Effect.gen(function* () {
        const client = yield* Conversation.client
        const { reply } = yield* client.start("tools/call", press("build"), withTasks)
        const spec = yield* program.started
        yield* TestClock.adjust("10 seconds")
        const { resultType, taskId } = yield* reply
        assert.strictEqual(resultType, "task")
        yield* spec.onProgressLine?.('{"pct":0.5,"msg":"half way"}') ?? Effect.void
        yield* settled
        assert.deepInclude(yield* client.send("tasks/get", { taskId }, withTasks), {
          status: "working",
          statusMessage: "half way"
        })
        yield* program.end(exited("built"))
        yield* settled
        const { result, status } = yield* client.send("tasks/get", { taskId }, withTasks)
        assert.strictEqual(status, "completed")
        assert.deepInclude(JSON.parse(JSON.stringify(result)).structuredContent, {
          button: "build",
          status: "ok",
          stdout: "built"
        })
        const [run] = yield* Effect.flatMap(PressHistory.PressHistory, ({ recent }) => recent("build", 5))
        assert.deepInclude(run, { status: "ok", stdout: "built" })
      }).pipe(Effect.scoped, Effect.provide(server([build], program.run)))
    })
  )

  it.effect("is answered as a call when it ends before", () =>
    Effect.gen(function* () {
      const program = yield* held
      yield* Effect.gen(function* () {
        const client = yield* Conversation.client
        const { reply } = yield* client.start("tools/call", press("build"), withTasks)
        yield* program.started
        yield* TestClock.adjust("9 seconds")
        yield* program.end(exited("built"))
        assert.strictEqual((yield* reply)["resultType"], "complete")
      }).pipe(Effect.scoped, Effect.provide(server([build], program.run)))
    })
  )

  it.effect.each([
    ["its own time for a client with tasks", "build", {}, Conversation.followsTasks, 600],
    ["no more than its own time", "build", { timeout: 9_999 }, Conversation.followsTasks, 600],
    ["what it is asked for below that", "build", { timeout: 200 }, Conversation.followsTasks, 200],
    ["up to two minutes in any case", "quick", { timeout: 100 }, Conversation.followsTasks, 100],
    ["two minutes for any other client", "build", {}, {}, 120]
  ] as const)("has %s", ([, name, more, capabilities, seconds]) =>
    Effect.gen(function* () {
      const program = yield* held
      yield* Effect.gen(function* () {
        const client = yield* Conversation.client
        yield* client.start("tools/call", press(name, more), { capabilities })
        assert.strictEqual((yield* program.started).timeoutMillis, seconds * 1_000)
      }).pipe(Effect.scoped, Effect.provide(server([build, quick], program.run)))
    })
  )

  it.effect.each([
    ["is stopped after two minutes while somebody waits, where there may be no more tasks", 0, "TIMEOUT"],
    ["goes on once nobody waits", 1, undefined]
  ] as const)("%s", ([, maxRunning, code]) =>
    Effect.gen(function* () {
      const program = yield* held
      const run = (spec: PressRunner.PressSpec) =>
        Effect.map(TimeLimit.within(program.run(spec), spec), (outcome) =>
          Option.getOrElse(
            outcome,
            (): PressRunner.PressOutcome => ({
              ...exited("", -1),
              reason: "timed-out",
              durationMillis: 120_000
            })
          )
        )
      yield* Effect.gen(function* () {
        const client = yield* Conversation.client
        const { reply } = yield* client.start("tools/call", press("build"), withTasks)
        yield* program.started
        yield* TestClock.adjust("119 seconds")
        const before = yield* Effect.flatMap(PressHistory.PressHistory, ({ recent }) => recent("build", 5))
        assert.deepStrictEqual(before, [])
        yield* TestClock.adjust("2 seconds")
        const [record] = yield* Effect.flatMap(PressHistory.PressHistory, ({ recent }) => recent("build", 5))
        assert.strictEqual(record?.error_type, code)
        if (code === undefined) return
        assert.deepInclude(Conversation.said(yield* reply), {
          code,
          message: "build was stopped after 120 s"
        })
      }).pipe(Effect.scoped, Effect.provide(server([build], run, {}, { maxRunning })))
    })
  )

  // verifies: P-109
  it.effect("is heard of every fifteen seconds by who asked for progress, unless it speaks itself", () =>
    Effect.gen(function* () {
      const program = yield* held
      yield* Effect.gen(function* () {
        const client = yield* Conversation.client
        const messages = () =>
          client
            .notifications()
            .map((notice) => JSON.parse(JSON.stringify(notice)).params)
            .map(({ message, progressToken }) => [progressToken, message])
        const { reply } = yield* client.start("tools/call", press("build"), { progressToken: "p" })
        const spec = yield* program.started
        yield* TestClock.adjust("15 seconds")
        yield* spec.onProgressLine?.("compiling") ?? Effect.void
        yield* TestClock.adjust("15 seconds")
        yield* TestClock.adjust("15 seconds")
        yield* program.end(exited("built"))
        yield* reply
        assert.deepStrictEqual(messages(), [
          ["p", "15 s so far"],
          ["p", "compiling"],
          ["p", "compiling"]
        ])
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(messages().length, 3)
      }).pipe(Effect.scoped, Effect.provide(server([build], program.run)))
    })
  )

  it.effect("says nothing on its own to who did not ask", () =>
    Effect.gen(function* () {
      const program = yield* held
      yield* Effect.gen(function* () {
        const client = yield* Conversation.client
        const { reply } = yield* client.start("tools/call", press("build"))
        yield* program.started
        yield* TestClock.adjust("1 minute")
        yield* program.end(exited("built"))
        yield* reply
        assert.deepStrictEqual(client.notifications(), [])
      }).pipe(Effect.scoped, Effect.provide(server([build], program.run)))
    })
  )
})

const polled = { schedule: Schedule.spaced("20 millis") }

describe("a task whose press is cancelled", () => {
  it.scopedLive("leaves no process and a record", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const mark = `marked-${Path.basename(dataDir.root)}`
      yield* Temporary.write(dataDir.buttons, {
        "stubborn/button.json": json({ name: "stubborn", mcp_enabled: true, env: { MARK: mark } }),
        "stubborn/main.sh":
          'trap \'\' TERM; sleep 300 & setsid sleep 300 & echo \'{"msg":"up"}\' >>"$BUTTONS_PROGRESS_PATH"; wait; sleep 300\n'
      })
      yield* Effect.gen(function* () {
        const client = yield* Conversation.client
        const { taskId } = yield* client.send("tools/call", press("stubborn"), withTasks)
        const task = client.send("tasks/get", { taskId }, withTasks)
        yield* Effect.repeat(task, { until: ({ statusMessage }) => statusMessage === "up", ...polled })
        assert.isAtLeast(bearing(mark).length, 3)
        yield* client.send("tasks/cancel", { taskId }, withTasks)
        yield* Effect.repeat(task, { until: ({ status }) => status === "cancelled", ...polled })
        assert.deepStrictEqual(bearing(mark), [])
        const [run] = yield* Effect.flatMap(PressHistory.PressHistory, ({ recent }) => recent("stubborn", 5))
        assert.deepInclude(run, { status: "error", reason: "cancelled", error_type: "CANCELLED" })
      }).pipe(
        Effect.scoped,
        Effect.provide(
          ButtonTools.layer({ taskAfter: "1 millis" }).pipe(
            Layer.provideMerge(McpServer.layer({ name: "test", version: "1" })),
            Layer.provideMerge(Buttons.layer(dataDir, { runner: { grace: "100 millis" } }))
          )
        )
      )
    })
  )
})
