/** How the command offers buttons over stdio: one tool for each, to every revision, and live. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Binary from "../support/binary.js"
import { temporaryFolder } from "../support/buttons.js"
import { cancelled, initialize, initialized, modern, request } from "../support/messages.js"
import * as Pipe from "../support/pipe.js"
import * as RawStdio from "../support/rawStdio.js"
import { structured, textOf } from "../support/results.js"

const write = (folder: string, name: string, code: string, fields: object = {}) =>
  Effect.sync(() => {
    const button = join(folder, "buttons", name)
    mkdirSync(button, { recursive: true })
    writeFileSync(join(button, "main.sh"), code)
    const definition = { schema_version: 2, name, runtime: "shell", mcp_enabled: true, ...fields }
    writeFileSync(join(button, "button.json"), JSON.stringify(definition))
  })

const greeter = {
  description: "Greets somebody",
  args: [{ name: "who", type: "string", required: true }]
}

const folderWithGreeter = Effect.tap(temporaryFolder, (folder) =>
  write(folder, "greet", 'echo "hi $BUTTONS_ARG_WHO"\n', greeter)
)

/** Names of the tools in the answer to a list request. */
const namesIn = ({ result }: RawStdio.Message) =>
  JSON.parse(JSON.stringify(result)).tools.map(({ name }: { readonly name: string }) => name)

describe("pushbutton stdio --mode tools", () => {
  it.scopedLive("gives clients of both eras a tool for each button", () =>
    Effect.gen(function* () {
      const folder = yield* folderWithGreeter
      const peer = yield* RawStdio.open(folder, ["--mode", "tools"])
      yield* peer.send(modern(1, "tools/list"))
      assert.deepStrictEqual(namesIn(yield* peer.responseTo(1)), ["buttons_inspect", "greet"])
      yield* peer.send(modern(2, "tools/call", { name: "greet", arguments: { who: "Ada" } }))
      const { result } = yield* peer.responseTo(2)
      assert.strictEqual(structured<{ stdout: string }>(result).stdout, "hi Ada\n")

      const legacy = yield* RawStdio.open(folder, ["--mode", "tools"])
      yield* legacy.send(initialize(1))
      yield* legacy.responseTo(1)
      yield* legacy.send(initialized, request(2, "tools/list"))
      assert.deepStrictEqual(namesIn(yield* legacy.responseTo(2)), ["buttons_inspect", "greet"])
      yield* legacy.send(request(3, "tools/call", { name: "greet", arguments: { who: "Bob" } }))
      assert.include(textOf((yield* legacy.responseTo(3)).result), "hi Bob")
    })
  )

  it.scopedLive("answers with the value that an output schema promises, checked", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const output_schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] }
      yield* write(folder, "good", "echo '{\"n\":1}'\n", { output_schema })
      yield* write(folder, "bad", 'echo \'{"n":"1"}\'\n', { output_schema })
      const peer = yield* RawStdio.open(folder, ["--mode", "tools"])
      yield* peer.send(modern(1, "tools/call", { name: "good" }))
      assert.deepStrictEqual(structured<object>((yield* peer.responseTo(1)).result), { n: 1 })
      yield* peer.send(modern(2, "tools/call", { name: "bad" }))
      assert.strictEqual(JSON.parse(textOf((yield* peer.responseTo(2)).result)).code, "OUTPUT_INVALID")
    })
  )

  it.scopedLive("tells subscribers within a moment what comes and goes in the folder", () =>
    Effect.gen(function* () {
      const folder = yield* folderWithGreeter
      const peer = yield* RawStdio.open(folder, ["--mode", "tools"])
      yield* peer.send(modern(1, "subscriptions/listen", { notifications: { toolsListChanged: true } }))
      const told = Effect.repeat(peer.next, {
        until: ({ method }) => method === "notifications/tools/list_changed"
      }).pipe(Effect.timeout("5 seconds"))
      yield* Effect.repeat(peer.next, {
        until: ({ method }) => method === "notifications/subscriptions/acknowledged"
      })
      yield* write(folder, "later", "echo later\n")
      yield* told
      yield* peer.send(modern(2, "tools/list"))
      assert.deepStrictEqual(namesIn(yield* peer.responseTo(2)), ["buttons_inspect", "greet", "later"])
      yield* Effect.sync(() => rmSync(join(folder, "buttons", "greet"), { recursive: true }))
      yield* told
      yield* peer.send(modern(3, "tools/list"))
      assert.deepStrictEqual(namesIn(yield* peer.responseTo(3)), ["buttons_inspect", "later"])
    })
  )

  it.scopedLive.each(["2024-11-05", "2025-11-25"])("tells a session of %s the same", (version) =>
    Effect.gen(function* () {
      const folder = yield* folderWithGreeter
      const peer = yield* RawStdio.open(folder, ["--mode", "tools"])
      yield* peer.send(initialize(1, version))
      const { capabilities } = (yield* peer.responseTo(1)).result ?? {}
      assert.deepInclude(capabilities, { tools: { listChanged: true } })
      yield* peer.send(initialized)
      const told = Effect.repeat(peer.next, {
        until: ({ method }) => method === "notifications/tools/list_changed"
      }).pipe(Effect.timeout("5 seconds"))
      yield* write(folder, "later", "echo later\n")
      yield* told
      yield* peer.send(request(2, "tools/list"))
      assert.deepStrictEqual(namesIn(yield* peer.responseTo(2)), ["buttons_inspect", "greet", "later"])
      yield* Effect.sync(() => rmSync(join(folder, "buttons", "greet"), { recursive: true }))
      yield* told
      yield* peer.send(request(3, "tools/list"))
      assert.deepStrictEqual(namesIn(yield* peer.responseTo(3)), ["buttons_inspect", "later"])
    })
  )
})

describe("pushbutton connect", () => {
  it.scopedLive("has a client launch the server with the same options", () =>
    Effect.gen(function* () {
      const folder = yield* folderWithGreeter
      const words = ["--mode", "tools", "--rate", "3"]
      const binary = yield* Binary.start(["connect", "cursor", "--dir", folder, ...words])
      yield* binary.exited
      const { args } = JSON.parse(binary.stdout()).mcpServers.pushbutton
      assert.deepStrictEqual(args.slice(1), ["stdio", "--dir", folder, ...words])
    })
  )
})

describe("pushbutton http", () => {
  it.scopedLive("prints what launches the same server over stdio", () =>
    Effect.gen(function* () {
      const folder = yield* folderWithGreeter
      const words = ["--mode", "tools", "--rate", "3"]
      const binary = yield* Binary.http(folder, words)
      yield* binary.prints(/Ctrl-C stops it/)
      const [entry = ""] = /^\{$.*^\}$/ms.exec(binary.stdout()) ?? []
      const { args } = JSON.parse(entry).mcpServers.pushbutton
      assert.deepStrictEqual(args.slice(1), ["stdio", "--dir", folder, ...words])
      assert.include(binary.stdout(), `connect CLIENT --write --dir ${folder} ${words.join(" ")}\n`)
    })
  )
})

describe("pushbutton stdio", () => {
  it.scopedLive("lets agents make buttons only where it is told so", () =>
    Effect.gen(function* () {
      const folder = yield* folderWithGreeter
      const create = modern(1, "tools/call", {
        name: "buttons_create",
        arguments: { name: "made", code: "echo made" }
      })
      const press = modern(2, "tools/call", { name: "buttons_press", arguments: { name: "made" } })
      const closed = yield* RawStdio.open(folder)
      yield* closed.send(create)
      assert.strictEqual((yield* closed.responseTo(1)).error?.code, -32602)

      const careful = yield* RawStdio.open(folder, ["--allow-create"])
      yield* careful.send(create)
      assert.isFalse(structured<{ enabled: boolean }>((yield* careful.responseTo(1)).result).enabled)
      yield* careful.send(press)
      assert.strictEqual(JSON.parse(textOf((yield* careful.responseTo(2)).result)).code, "NOT_FOUND")

      yield* Effect.sync(() => rmSync(join(folder, "buttons", "made"), { recursive: true }))
      const trusting = yield* RawStdio.open(folder, ["--allow-create", "--enable-created"])
      yield* trusting.send(create)
      yield* trusting.responseTo(1)
      yield* trusting.send(press)
      assert.strictEqual(
        structured<{ stdout: string }>((yield* trusting.responseTo(2)).result).stdout,
        "made\n"
      )
    })
  )

  it.scopedLive("keeps the limits that it is given", () =>
    Effect.gen(function* () {
      const peer = yield* RawStdio.open(yield* folderWithGreeter, ["--rate", "1"])
      const press = (id: number) =>
        modern(id, "tools/call", { name: "buttons_press", arguments: { name: "greet", args: { who: "A" } } })
      yield* peer.send(press(1))
      yield* peer.responseTo(1)
      yield* peer.send(press(2))
      assert.strictEqual(JSON.parse(textOf((yield* peer.responseTo(2)).result)).code, "RATE_LIMITED")
    })
  )

  // verifies: P-109
  it.scopedLive("runs no more presses at a time than it may, and again when a client has cancelled one", () =>
    Effect.gen(function* () {
      const folder = yield* folderWithGreeter
      yield* write(folder, "slow", 'echo \'{"msg":"up"}\' >>"$BUTTONS_PROGRESS_PATH"; exec sleep 60\n')
      const peer = yield* RawStdio.open(folder, ["--max-presses", "1"])
      yield* peer.send(
        modern(
          1,
          "tools/call",
          { name: "buttons_press", arguments: { name: "slow" } },
          { progressToken: "p" }
        )
      )
      yield* Effect.repeat(peer.next, { until: ({ method }) => method === "notifications/progress" })
      const press = (id: number) =>
        Effect.zipRight(
          peer.send(
            modern(id, "tools/call", {
              name: "buttons_press",
              arguments: { name: "greet", args: { who: "A" } }
            })
          ),
          Effect.map(peer.responseTo(id), ({ result }) => JSON.parse(textOf(result)))
        )
      const refused = yield* press(2)
      assert.deepInclude(refused, { code: "BUSY", retry_after_ms: 1_000 })
      yield* peer.send(cancelled(1))
      let id = 2
      yield* Effect.repeat(
        Effect.suspend(() => press(++id)),
        { until: ({ status }) => status === "ok", schedule: Schedule.spaced("100 millis") }
      ).pipe(Effect.timeout("20 seconds"))
    })
  )

  it.scopedLive("makes a long press a task whose result another server of the folder can read", () =>
    Effect.gen(function* () {
      const folder = yield* folderWithGreeter
      yield* write(folder, "slow", "sleep 0.3; echo slow\n")
      const capabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } }
      const meta = { "io.modelcontextprotocol/clientCapabilities": capabilities }
      const peer = yield* RawStdio.open(folder, ["--task-after", "0.05"])
      yield* peer.send(modern(1, "tools/call", { name: "buttons_press", arguments: { name: "slow" } }, meta))
      const handle = (yield* peer.responseTo(1)).result
      assert.strictEqual(handle?.["resultType"], "task")
      const taskId = handle?.["taskId"]
      let id = 1
      const task = (from: RawStdio.RawStdio) =>
        Effect.suspend(() => {
          id++
          return Effect.zipRight(from.send(modern(id, "tasks/get", { taskId }, meta)), from.responseTo(id))
        })
      yield* Effect.repeat(task(peer), {
        until: ({ result }) => result?.["status"] === "completed",
        schedule: Schedule.spaced("50 millis")
      })
      const other = yield* RawStdio.open(folder)
      assert.include(JSON.stringify((yield* task(other)).result), "slow\\\\n")
    })
  )

  it.scopedLive.each(["SIGTERM", "SIGINT"] as const)(
    "ends what a task has started at %s, and records it",
    (signal) =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const pipe = yield* Pipe.make
        const code = "exec 3>\"$PIPE\"; trap '' TERM; sleep 60 & wait; sleep 60\n"
        yield* write(folder, "stubborn", code, { env: { PIPE: pipe.path } })
        const peer = yield* RawStdio.open(folder, ["--task-after", "0", "--grace", "0"])
        const meta = {
          "io.modelcontextprotocol/clientCapabilities": {
            extensions: { "io.modelcontextprotocol/tasks": {} }
          }
        }
        yield* peer.send(
          modern(1, "tools/call", { name: "buttons_press", arguments: { name: "stubborn" } }, meta)
        )
        const { result } = yield* peer.responseTo(1)
        yield* pipe.opened
        peer.binary.process.kill(signal)
        assert.strictEqual((yield* peer.binary.exited).code, 0)
        yield* pipe.released
        const history = yield* Binary.start(["history", "stubborn", "--json", "--dir", folder])
        yield* history.exited
        const [run] = JSON.parse(history.stdout()).data.runs
        assert.deepInclude(run, { error_type: "CANCELLED", reason: "cancelled" })
        const next = yield* RawStdio.open(folder)
        yield* next.send(modern(1, "tasks/get", { taskId: result?.["taskId"] }, meta))
        assert.strictEqual((yield* next.responseTo(1)).result?.["status"], "failed")
      })
  )
})
