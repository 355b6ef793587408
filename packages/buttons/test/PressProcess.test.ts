/** Presses of real folders by real processes, the examples of the command among them. */
import { execFileSync } from "node:child_process"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as ButtonCatalogue from "@pushbutton/buttons/ButtonCatalogue"
import { toFailure } from "@pushbutton/buttons/ButtonError"
import type { DataDir } from "@pushbutton/buttons/DataDir"
import * as Press from "@pushbutton/buttons/Press"
import * as PressHistory from "@pushbutton/buttons/PressHistory"
import type * as PressProgress from "@pushbutton/buttons/PressProgress"
import * as PressRunner from "@pushbutton/buttons/PressRunner"
import * as RunIds from "@pushbutton/buttons/RunIds"
import * as Runtime from "@pushbutton/buttons/Runtime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { json } from "./support/definitions.js"
import { guards } from "./support/guards.js"
import { noBatteriesNoHttp } from "./support/pressing.js"
import { alive } from "./support/processes.js"
import * as Temporary from "./support/temporary.js"

const path = process.env["PATH"]

/** Everything as a server has it, except what the server's environment holds. */
const live = (
  dataDir: DataDir,
  options: Partial<Press.Options> = {},
  runner: PressRunner.Options = {},
  history: Layer.Layer<PressHistory.PressHistory, never, PressHistory.PressHistory> = Layer.service(
    PressHistory.PressHistory
  )
) =>
  Press.layer({
    environment: { PATH: path, API_TOKEN: "s3cret" },
    workingDirectory: dataDir.root,
    ...options
  }).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        ButtonCatalogue.layerFileSystem(dataDir),
        Layer.succeed(Runtime.Interpreters, Runtime.onPath(options.environment?.["PATH"] ?? path)),
        PressRunner.layerProcess({ grace: "100 millis", lastProgress: "20 millis", ...runner }),
        Layer.provide(history, PressHistory.layerFileSystem(dataDir)),
        noBatteriesNoHttp,
        Layer.succeed(RunIds.RunIds, RunIds.random),
        guards
      )
    )
  )

const press = (name: string, request: Partial<Press.PressRequest> = {}) =>
  Effect.flatMap(Press.Press, ({ press }) => press({ name, args: {}, caller: "cli", ...request }))

const recentRuns = (layer: ReturnType<typeof live>, name: string) =>
  Effect.provide(
    Effect.flatMap(PressHistory.PressHistory, (history) => history.recent(name, 10)),
    layer
  )

const withFiles = (files: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const dataDir = yield* Temporary.dataDir
    yield* Temporary.write(dataDir.root, files)
    return dataDir
  })

describe("Press, processes", () => {
  it.scopedLive("shows a button only its own environment, its folder nothing", () =>
    Effect.gen(function* () {
      const dataDir = yield* withFiles({
        "buttons/show/button.json": json({
          name: "show",
          args: [{ name: "who", type: "string" }],
          env: { REGION: "eu" }
        }),
        "buttons/show/main.sh": "env | sort; pwd; echo $#"
      })
      const { stderr, stdout } = yield* Effect.provide(
        press("show", { args: { who: "$(id) é" } }),
        live(dataDir)
      )
      const [argument = "", mark = "", ...rest] = stdout.split("\n").filter((line) => !line.startsWith("P"))
      assert.strictEqual(stderr, "")
      assert.strictEqual(argument, "BUTTONS_ARG_WHO=$(id) é")
      assert.match(mark, /^BUTTONS_PRESS_ID=/)
      assert.match(rest[0] ?? "", /^BUTTONS_PROGRESS_PATH=.*\/buttons\/show\/pressed\/.*\.progress\.jsonl$/)
      assert.deepStrictEqual(rest.slice(1), ["REGION=eu", "TERM=dumb", dataDir.root, "0", ""])
    })
  )

  it.scopedLive("says that an interpreter is missing, that code is, and shows no absolute path", () =>
    Effect.gen(function* () {
      const dataDir = yield* withFiles({
        "buttons/py/button.json": json({ name: "py", runtime: "python" }),
        "buttons/py/main.py": "",
        "buttons/deploy/button.json": json({ name: "deploy" })
      })
      const layer = live(dataDir, { environment: { PATH: dataDir.root } })
      const runtime = yield* Effect.flip(Effect.provide(press("py"), layer))
      const code = yield* Effect.flip(Effect.provide(press("deploy"), layer))
      assert.deepStrictEqual(
        [toFailure(runtime), toFailure(code)],
        [
          {
            code: "RUNTIME_MISSING",
            message: 'No interpreter for runtime "python": python3 or python was not found'
          },
          { code: "SCRIPT_ERROR", message: 'Button "deploy" has no code: buttons/deploy/main.sh is missing' }
        ]
      )
    })
  )

  it.scopedLive("refuses to start with more arguments than the system takes, and says why", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 40 }, (_, index) => `a${index}`)
      const dataDir = yield* withFiles({
        "buttons/big/button.json": json({
          name: "big",
          args: names.map((name) => ({ name, type: "string" }))
        }),
        "buttons/big/main.sh": ""
      })
      const args = Object.fromEntries(names.map((name) => [name, "x".repeat(100_000)]))
      const result = yield* Effect.provide(press("big", { args }), live(dataDir))
      assert.deepInclude(result, {
        status: "error",
        reason: "not-started",
        stderr: "Not started: the arguments and the environment together are too large (E2BIG)"
      })
    })
  )

  it.scopedLive("keeps both of two presses that start together, each with its own progress", () =>
    Effect.gen(function* () {
      const dataDir = yield* withFiles({
        "buttons/two/button.json": json({ name: "two" }),
        "buttons/two/main.sh": 'echo "$BUTTONS_PROGRESS_PATH"'
      })
      const layer = live(dataDir)
      const results = yield* Effect.provide(
        Effect.all([press("two"), press("two")], { concurrency: "unbounded" }),
        layer
      )
      assert.lengthOf([...new Set(results.map((result) => result.stdout))], 2)
      const runs = yield* Effect.provide(
        Effect.flatMap(PressHistory.PressHistory, (history) => history.recent("two", 10)),
        layer
      )
      assert.sameMembers(
        runs.map((run) => run.run_id),
        results.map((result) => result.runId)
      )
    })
  )

  it.scopedLive("returns from an interruption with the group gone and the run recorded as cancelled", () =>
    Effect.gen(function* () {
      const dataDir = yield* withFiles({
        "buttons/slow/button.json": json({ name: "slow", mcp_enabled: true }),
        "buttons/slow/main.sh":
          "trap '' TERM\necho partial\nsleep 300 &\necho $$ >>\"$BUTTONS_PROGRESS_PATH\"\nwait\nsleep 300"
      })
      const layer = live(dataDir)
      const update = yield* Deferred.make<PressProgress.Update>()
      const fiber = yield* press("slow", {
        caller: "mcp",
        onProgress: (first) => Deferred.succeed(update, first)
      }).pipe(Effect.provide(layer), Effect.fork)
      const group = Number((yield* Deferred.await(update)).message)
      assert.isAbove(alive(group).length, 1)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(alive(group), [])
      const files = yield* Effect.promise(() => Fs.readdir(Path.join(dataDir.buttons, "slow/pressed")))
      const name = files.find((file) => file.endsWith(".json")) ?? ""
      const run: unknown = JSON.parse(
        yield* Effect.promise(() => Fs.readFile(Path.join(dataDir.buttons, "slow/pressed", name), "utf8"))
      )
      assert.deepInclude(run, {
        status: "error",
        error_type: "CANCELLED",
        reason: "cancelled",
        caller: "mcp",
        stdout: "partial\n"
      })
    })
  )

  const writes = { "buttons/quick/button.json": json({ name: "quick", mcp_enabled: true }) }
  const quick = {
    ...writes,
    "buttons/quick/main.sh":
      'echo one >>"$BUTTONS_PROGRESS_PATH"\necho two >>"$BUTTONS_PROGRESS_PATH"\necho out'
  }

  it.scopedLive("answers a caller that takes no progress, and records the run as it was", () =>
    Effect.gen(function* () {
      const dataDir = yield* withFiles(quick)
      const layer = live(dataDir)
      const result = yield* Effect.provide(
        press("quick", { caller: "mcp", onProgress: () => Effect.never }),
        layer
      )
      assert.deepInclude(result, { status: "ok", exitCode: 0, stdout: "out\n" })
      const [run] = yield* recentRuns(layer, "quick")
      assert.deepInclude(run, { status: "ok", stdout: "out\n" })
    })
  )

  it.scopedLive("records a run as it was also when its caller leaves before the answer", () =>
    Effect.gen(function* () {
      const dataDir = yield* withFiles(quick)
      const recorded = yield* Deferred.make<void>()
      const layer = live(dataDir, {}, { lastProgress: "1 hour" })
      const noticing = Layer.effect(
        PressHistory.PressHistory,
        Effect.map(PressHistory.PressHistory, (history) => ({
          ...history,
          record: (...args: Parameters<typeof history.record>) =>
            Effect.tap(history.record(...args), () => Deferred.succeed(recorded, undefined))
        }))
      )
      const fiber = yield* press("quick", { caller: "mcp", onProgress: () => Effect.never }).pipe(
        Effect.provide(live(dataDir, {}, { lastProgress: "1 hour" }, noticing)),
        Effect.fork
      )
      yield* Deferred.await(recorded)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
      const runs = yield* recentRuns(layer, "quick")
      assert.deepStrictEqual(
        runs.map(({ error_type, status, stdout }) => [status, error_type, stdout]),
        [["ok", undefined, "out\n"]]
      )
    })
  )

  it.scopedLive("leaves no progress file of a run that could not be recorded", () =>
    Effect.gen(function* () {
      const dataDir = yield* withFiles({
        ...writes,
        // Takes the place of the record.
        "buttons/quick/main.sh":
          'mkdir "$(echo "$BUTTONS_PROGRESS_PATH" | sed s/.progress.jsonl/.json/)"\necho out'
      })
      const result = yield* press("quick").pipe(
        Effect.provide(live(dataDir)),
        Logger.withMinimumLogLevel(LogLevel.None)
      )
      assert.deepInclude(result, { stdout: "out\n", recorded: false })
      const files = yield* Effect.promise(() => Fs.readdir(Path.join(dataDir.buttons, "quick/pressed")))
      assert.deepStrictEqual(
        files.filter((file) => !file.endsWith(".json")),
        []
      )
    })
  )

  it.scopedLive("keeps the progress file of a press that goes on while others end", () =>
    Effect.gen(function* () {
      const dataDir = yield* withFiles({
        "buttons/both/button.json": json({ name: "both", args: [{ name: "pipe", type: "string" }] }),
        "buttons/both/main.sh": [
          '[ -z "$BUTTONS_ARG_PIPE" ] && exit',
          'echo started >>"$BUTTONS_PROGRESS_PATH"',
          'read answer <"$BUTTONS_ARG_PIPE"',
          'ls "$BUTTONS_PROGRESS_PATH"'
        ].join("\n")
      })
      const layer = live(dataDir)
      const go = Path.join(dataDir.root, "go")
      execFileSync("mkfifo", [go])
      const started = yield* Deferred.make<void>()
      const fiber = yield* press("both", {
        args: { pipe: go },
        onProgress: () => Deferred.succeed(started, undefined)
      }).pipe(Effect.provide(layer), Effect.fork)
      yield* Deferred.await(started)
      const pressed = Path.join(dataDir.buttons, "both/pressed")
      yield* Effect.promise(async () => {
        for (const file of await Fs.readdir(pressed)) await Fs.utimes(Path.join(pressed, file), 1, 1)
        // A hundred runs of others.
        for (let run = 0; run < 100; run++) {
          await Fs.writeFile(Path.join(pressed, `2150-01-01T00-00-00-${100 + run}-x.json`), "{}")
        }
      })
      yield* Effect.provide(press("both"), layer)
      yield* Effect.promise(() => Fs.writeFile(go, "on\n"))
      const result = yield* Fiber.join(fiber)
      assert.deepInclude(result, { exitCode: 0, stderr: "", recorded: true })
      assert.include(
        (yield* recentRuns(layer, "both")).map(({ run_id }) => run_id),
        result.runId
      )
    })
  )

  it.scopedLive("runs without progress and without history in a folder that it cannot write to", () =>
    Effect.gen(function* () {
      const dataDir = yield* withFiles({
        "buttons/odd/button.json": json({ name: "odd" }),
        "buttons/odd/main.sh": "env | grep -c PROGRESS",
        "buttons/odd/pressed": "a file"
      })
      const result = yield* press("odd").pipe(
        Effect.provide(live(dataDir)),
        Logger.withMinimumLogLevel(LogLevel.None)
      )
      assert.deepInclude(result, { exitCode: 1, stdout: "0\n", recorded: false })
    })
  )
})

const examples = fileURLToPath(new URL("../../cli/examples/buttons", import.meta.url))

describe("Press, the example buttons", () => {
  /** A copy, so that pressing leaves no history in the sources. */
  const copied = Effect.gen(function* () {
    const dataDir = yield* Temporary.dataDir
    yield* Effect.promise(() => Fs.cp(examples, dataDir.buttons, { recursive: true }))
    return dataDir
  })

  const pressExample = (
    name: string,
    args: Press.PressRequest["args"],
    request: Partial<Press.PressRequest> = {}
  ) =>
    Effect.flatMap(copied, (dataDir) =>
      Effect.provide(press(name, { args, caller: "mcp", ...request }), live(dataDir))
    )

  it.scopedLive("load without a remark and are all for MCP callers", () =>
    Effect.gen(function* () {
      const dataDir = yield* copied
      const { buttons, problems } = yield* Effect.provide(
        Effect.flatMap(ButtonCatalogue.ButtonCatalogue, (catalogue) => catalogue.list),
        live(dataDir)
      )
      assert.deepStrictEqual(problems, [])
      assert.deepStrictEqual(
        buttons.map((button) => [button.slug, button.mcpEnabled]),
        ["disk-space", "release-checklist", "slow-count", "text-case", "word-count"].map((slug) => [
          slug,
          true
        ])
      )
    })
  )

  it.scopedLive("disk-space gives numbers for any path", () =>
    Effect.gen(function* () {
      const dataDir = yield* withFiles({ 'odd "name" \\ é/x': "" })
      const odd = Path.join(dataDir.root, 'odd "name" \\ é')
      const result = yield* pressExample("disk-space", { path: odd })
      const parsed: unknown = JSON.parse(result.stdout)
      assert.hasAllKeys(parsed, ["path", "mount", "total_bytes", "used_bytes", "free_bytes", "used_percent"])
      assert.deepInclude(parsed, { path: odd })
      const missing = yield* pressExample("disk-space", { path: Path.join(dataDir.root, "none") })
      assert.deepInclude(missing, { status: "error", exitCode: 1, stdout: "" })
    })
  )

  it.scopedLive("word-count counts", () =>
    Effect.gen(function* () {
      const result = yield* pressExample("word-count", { text: "Der Hund, der Hund\nisn't 👍" })
      const parsed: unknown = JSON.parse(result.stdout)
      assert.deepStrictEqual(parsed, {
        words: 5,
        lines: 2,
        characters: 26,
        top_words: [
          { word: "der", count: 2 },
          { word: "hund", count: 2 },
          { word: "isn't", count: 1 }
        ]
      })
    })
  )

  it.scopedLive("slow-count counts and reports progress", () =>
    Effect.gen(function* () {
      const updates: Array<PressProgress.Update> = []
      const result = yield* pressExample(
        "slow-count",
        { steps: "03", seconds: 0 },
        { onProgress: (update) => Effect.sync(() => updates.push(update)) }
      )
      assert.strictEqual(result.stdout, "step 1 of 3\nstep 2 of 3\nstep 3 of 3\n")
      assert.deepStrictEqual(
        updates,
        [1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress} of 3` }))
      )
      assert.deepInclude(yield* pressExample("slow-count", { steps: -1 }), {
        exitCode: 2,
        stderr: "steps must be a whole number, 0 or more\n"
      })
    })
  )

  it.scopedLive.each<readonly [string, string]>([
    ["upper", "O'NEIL SAID ÉA\n"],
    ["lower", "o'neil said éa\n"],
    ["title", "O'neil Said Éa\n"]
  ])("text-case writes %s case", ([style, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual(
        (yield* pressExample("text-case", { style, text: "o'neil SAID éa" })).stdout,
        expected
      )
    })
  )

  it.scopedLive("release-checklist answers with its note", () =>
    Effect.gen(function* () {
      assert.match((yield* pressExample("release-checklist", {})).stdout, /^# Release checklist\n/)
    })
  )
})
