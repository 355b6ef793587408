import { assert, describe, it } from "@effect/vitest"
import * as ButtonCatalogue from "@pushbutton/buttons/ButtonCatalogue"
import { HistoryUnwritable } from "@pushbutton/buttons/ButtonError"
import * as Press from "@pushbutton/buttons/Press"
import * as PressHistory from "@pushbutton/buttons/PressHistory"
import type * as PressProgress from "@pushbutton/buttons/PressProgress"
import * as PressResult from "@pushbutton/buttons/PressResult"
import * as PressRunner from "@pushbutton/buttons/PressRunner"
import * as RunIds from "@pushbutton/buttons/RunIds"
import * as Runtime from "@pushbutton/buttons/Runtime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as TestClock from "effect/TestClock"
import { button } from "./support/definitions.js"
import { guards } from "./support/guards.js"
import { noBatteriesNoHttp } from "./support/pressing.js"

const text = (content: string): PressRunner.CapturedOutput => ({
  text: content,
  bytes: content.length,
  truncated: false
})

const exited = (
  exitCode: number,
  fields: Partial<PressRunner.PressOutcome> = {}
): PressRunner.PressOutcome => ({
  reason: "exited",
  exitCode,
  stdout: text("out"),
  stderr: text("err"),
  durationMillis: 12,
  ...fields
})

const buttons = [
  button("greet", {
    mcp_enabled: true,
    args: [{ name: "who", type: "string", required: true }],
    env: { REGION: "eu" }
  }),
  button("hidden"),
  button("script", { mcp_enabled: true, runtime: "python" }),
  button("note", {
    mcp_enabled: true,
    runtime: "prompt",
    args: [{ name: "diff", type: "string", required: true }]
  }),
  button("silent", { mcp_enabled: true, runtime: "prompt" }),
  { ...button("codeless", { mcp_enabled: true }), codeFile: undefined },
  button("long", { mcp_enabled: true, timeout_seconds: 600 })
]

interface World {
  readonly runner?: PressRunner.PressRunner["Type"]["run"]
  readonly history?: Layer.Layer<PressHistory.PressHistory>
}

const world = ({
  history = PressHistory.layerMemory,
  runner = () => Effect.succeed(exited(0))
}: World = {}) =>
  Press.layer({ environment: { PATH: "/bin", SECRET: "s3cret" }, workingDirectory: "/srv" }).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        ButtonCatalogue.layerMemory({
          buttons,
          problems: [
            { slug: "broken", file: "buttons/broken/button.json", severity: "error", message: "is wrong" }
          ],
          notes: { note: "Read {{diff}}." }
        }),
        Runtime.layerTest({ shell: "/bin/sh" }),
        PressRunner.layerTest(runner),
        history,
        noBatteriesNoHttp,
        RunIds.layerTest,
        guards
      )
    )
  )

const press = (name: string, request: Partial<Press.PressRequest> = {}) =>
  Effect.flatMap(Press.Press, ({ press }) => press({ name, args: {}, caller: "mcp", ...request }))

const recent = (name: string) =>
  Effect.flatMap(PressHistory.PressHistory, (history) => history.recent(name, 10))

const withWorld =
  (options?: World) =>
  <A, E>(effect: Effect.Effect<A, E, Press.Press | PressHistory.PressHistory>) =>
    Effect.provide(effect, world(options))

describe("Press, refusals", () => {
  it.effect.each<[string, Partial<Press.PressRequest>, string]>([
    ["absent", {}, "ButtonNotFound"],
    ["hidden", {}, "ButtonNotFound"],
    ["broken", {}, "ButtonBroken"],
    ["broken", { caller: "cli" }, "ButtonBroken"],
    ["greet", {}, "PressArgumentInvalid"],
    ["script", { args: { x: 1 } }, "PressArgumentInvalid"],
    ["script", {}, "RuntimeMissing"],
    ["codeless", {}, "CodeFileMissing"],
    ["silent", {}, "PromptUnreadable"]
  ])("refuses %s", ([name, request, tag]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(press(name, request))
      assert.strictEqual(error._tag, tag)
      assert.deepStrictEqual(yield* recent(name), [])
    }).pipe(withWorld({ runner: () => Effect.die("was started") }))
  )

  it.effect("tells an MCP caller of a hidden button exactly what it tells of an absent one", () =>
    Effect.gen(function* () {
      const hidden = yield* Effect.flip(press("hidden", { args: { x: 1 } }))
      const absent = yield* Effect.flip(press("absent", { args: { x: 1 } }))
      assert.deepStrictEqual({ ...hidden }, { ...absent, name: "hidden" })
    }).pipe(withWorld())
  )

  it.effect("names files relative to the data directory", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(press("codeless"))
      assert.deepInclude(error, { slug: "codeless", file: "buttons/codeless/main.sh" })
    }).pipe(withWorld())
  )
})

describe("Press, runs", () => {
  it.effect("hands the runner exactly what the button is to see", () =>
    Effect.gen(function* () {
      const specs = yield* Ref.make<ReadonlyArray<PressRunner.PressSpec>>([])
      yield* press("Greet!", { args: { who: "Ada" }, caller: "cli" }).pipe(
        withWorld({ runner: (spec) => Effect.as(Ref.set(specs, [spec]), exited(0)) })
      )
      const [given] = yield* Ref.get(specs)
      assert.deepStrictEqual(yield* Ref.get(specs), [
        {
          command: "/bin/sh",
          args: ["/data/buttons/greet/main.sh"],
          cwd: "/srv",
          env: { PATH: "/bin", TERM: "dumb", REGION: "eu", BUTTONS_ARG_WHO: "Ada" },
          timeoutMillis: 30_000,
          timeIsUp: undefined,
          outputLimitBytes: 1_048_576,
          progressPath: undefined,
          onProgressLine: undefined,
          onStarting: given?.onStarting,
          onStarted: given?.onStarted,
          onEnded: given?.onEnded,
          onInterrupted: given?.onInterrupted
        }
      ])
    })
  )

  it.effect("answers with what happened and records it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 3, 18, 9, 53, 45, 123))
      const result = yield* press("greet", { args: { who: "Ada" } })
      assert.deepStrictEqual(result, {
        button: "greet",
        runId: "0000000000000001",
        startedAtMillis: Date.UTC(2026, 3, 18, 9, 53, 45, 123),
        caller: "mcp",
        args: { who: "Ada" },
        status: "ok",
        reason: "exited",
        exitCode: 0,
        stdout: "out",
        stderr: "err",
        stdoutBytes: 3,
        stderrBytes: 3,
        stdoutTruncated: false,
        stderrTruncated: false,
        durationMillis: 12,
        timeoutSeconds: 30,
        recorded: true
      })
      assert.deepStrictEqual(yield* recent("greet"), [
        {
          button_name: "greet",
          started_at: "2026-04-18T09:53:45.123Z",
          finished_at: "2026-04-18T09:53:45.135Z",
          exit_code: 0,
          status: "ok",
          stdout: "out",
          stderr: "err",
          duration_ms: 12,
          args: { who: "Ada" },
          run_id: "0000000000000001",
          caller: "mcp",
          reason: "exited",
          truncated: false
        }
      ])
    }).pipe(withWorld())
  )

  it.effect.each<[PressRunner.PressOutcome, Partial<PressResult.PressResult>, string]>([
    [exited(3), { status: "error", errorType: "SCRIPT_ERROR", exitCode: 3 }, "long exited with code 3"],
    [
      exited(-1, { reason: "signalled", signal: "SIGSEGV" }),
      { status: "error", errorType: "SCRIPT_ERROR", exitCode: -1, signal: "SIGSEGV" },
      "long was ended by SIGSEGV"
    ],
    [
      exited(-1, { reason: "timed-out", stdout: { text: "o", bytes: 9, truncated: true } }),
      {
        status: "timeout",
        errorType: "TIMEOUT",
        exitCode: -1,
        stdout: "o",
        stdoutBytes: 9,
        stdoutTruncated: true
      },
      "long was stopped after 120 s"
    ],
    [
      exited(-1, { reason: "not-started", startError: { code: "E2BIG", message: "too large (E2BIG)" } }),
      { status: "error", errorType: "SCRIPT_ERROR", exitCode: -1, stderr: "Not started: too large (E2BIG)" },
      "long could not be started"
    ]
  ])("makes a result of any outcome", ([outcome, expected, sentence]) =>
    Effect.gen(function* () {
      const result = yield* press("long")
      assert.deepInclude(result, expected)
      assert.strictEqual(PressResult.describe(result), sentence)
      const [run] = yield* recent("long")
      assert.strictEqual(run?.error_type, expected.errorType)
      assert.deepInclude(run, {
        status: result.status,
        exit_code: result.exitCode,
        reason: outcome.reason,
        truncated: result.stdoutTruncated
      })
    }).pipe(withWorld({ runner: () => Effect.succeed(outcome) }))
  )

  it.effect("passes progress on as updates, without the lines that say nothing", () =>
    Effect.gen(function* () {
      const updates: Array<PressProgress.Update> = []
      yield* press("long", { onProgress: (update) => Effect.sync(() => updates.push(update)) }).pipe(
        withWorld({
          runner: ({ onProgressLine }) =>
            Effect.as(
              Effect.forEach(
                ['{"pct":.5}', "", "{}", "half"],
                (line) => onProgressLine?.(line) ?? Effect.void
              ),
              exited(0)
            )
        })
      )
      assert.deepStrictEqual(updates, [{ progress: 0.5, total: 1 }, { message: "half" }])
    })
  )

  it.effect("answers a prompt with its note as it is and starts nothing, however large its arguments", () =>
    Effect.gen(function* () {
      const result = yield* press("note", { args: { diff: "x".repeat(500_000) } })
      assert.deepInclude(result, {
        status: "ok",
        reason: "prompt",
        exitCode: 0,
        stdout: "Read {{diff}}.",
        recorded: true
      })
      const [run] = yield* recent("note")
      assert.deepInclude(run, { status: "ok", stdout: "Read {{diff}}." })
    }).pipe(withWorld({ runner: () => Effect.die("was started") }))
  )

  it.effect("answers when the run cannot be recorded, and says so", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* press("long"), { status: "ok", recorded: false })
    }).pipe(
      withWorld({
        history: Layer.succeed(PressHistory.PressHistory, {
          record: (slug) => new HistoryUnwritable({ slug, detail: "ENOSPC" }),
          recent: () => Effect.succeed([]),
          openProgress: () => Effect.succeed(undefined),
          clearUnfinished: () => Effect.void
        })
      })
    )
  )
})

describe("Press, interruption", () => {
  it.effect("interrupts the run, records it as cancelled, and gives no answer", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const ended = yield* Ref.make(false)
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.fork(press("greet", { args: { who: "Ada" } }))
        yield* Deferred.await(started)
        yield* TestClock.adjust("3 seconds")
        const exit = yield* Fiber.interrupt(fiber)
        assert.isTrue(Exit.isInterrupted(exit))
        assert.isTrue(yield* Ref.get(ended))
        const [run] = yield* recent("greet")
        assert.deepInclude(run, {
          status: "error",
          error_type: "CANCELLED",
          reason: "cancelled",
          exit_code: -1,
          duration_ms: 3_000,
          args: { who: "Ada" }
        })
      }).pipe(
        withWorld({
          runner: () =>
            Deferred.succeed(started, undefined).pipe(
              Effect.zipRight(Effect.never),
              Effect.onInterrupt(() => Ref.set(ended, true))
            )
        })
      )
    })
  )

  it.effect("records what an interrupted run had written", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.fork(press("long"))
        yield* Deferred.await(started)
        yield* Fiber.interrupt(fiber)
        const [run] = yield* recent("long")
        assert.deepInclude(run, { error_type: "CANCELLED", stdout: "half", truncated: true })
      }).pipe(
        withWorld({
          runner: ({ onInterrupted }) =>
            Deferred.succeed(started, undefined).pipe(
              Effect.zipRight(Effect.never),
              Effect.onInterrupt(
                () =>
                  onInterrupted?.({ stdout: { ...text("half"), truncated: true }, stderr: text("") }) ??
                  Effect.void
              )
            )
        })
      )
    })
  )

  it.effect("finishes a record that it has begun", () =>
    Effect.gen(function* () {
      const recording = yield* Deferred.make<void>()
      const proceed = yield* Deferred.make<void>()
      const written = yield* Ref.make<ReadonlyArray<string>>([])
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.fork(press("long"))
        yield* Deferred.await(recording)
        const interrupting = yield* Effect.fork(Fiber.interrupt(fiber))
        yield* Deferred.succeed(proceed, undefined)
        yield* Fiber.join(interrupting)
        assert.deepStrictEqual(yield* Ref.get(written), ["ok"])
      }).pipe(
        withWorld({
          history: Layer.succeed(PressHistory.PressHistory, {
            record: (_, { status }) =>
              Deferred.succeed(recording, undefined).pipe(
                Effect.zipRight(Deferred.await(proceed)),
                Effect.zipRight(Ref.update(written, (all) => [...all, status]))
              ),
            recent: () => Effect.succeed([]),
            openProgress: () => Effect.succeed(undefined),
            clearUnfinished: () => Effect.void
          })
        })
      )
    })
  )
})
