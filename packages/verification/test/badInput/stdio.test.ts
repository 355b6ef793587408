import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { dataFolder } from "../support/buttons.js"
import { cancelled, initialize, initialized, modern, modernPress, request } from "../support/messages.js"
import * as Pipe from "../support/pipe.js"
import * as RawStdio from "../support/rawStdio.js"
import { structured, textOf } from "../support/results.js"

interface Listing {
  readonly buttons: ReadonlyArray<{ readonly name: string }>
  readonly errors: ReadonlyArray<string>
}

interface Pressed {
  readonly stdout: string
  readonly truncated?: boolean
}

/** Proves that the server lives on. */
const alive = (raw: RawStdio.RawStdio) =>
  Effect.gen(function* () {
    yield* raw.send(modern("alive", "server/discover"))
    assert.property(yield* raw.responseTo("alive"), "result")
  })

const bad: ReadonlyArray<readonly [name: string, line: unknown, code: number, id: unknown]> = [
  ["not JSON", "{nope", -32700, undefined],
  ["a line that is cut off", '{"jsonrpc":"2.0","id":1,', -32700, undefined],
  ["JSON that is not JSON-RPC", { hello: "world" }, -32600, undefined],
  ["a scalar", "42", -32600, undefined],
  ["null", "null", -32600, undefined],
  ["a batch", [modern(1, "server/discover")], -32600, undefined],
  ["an empty batch", [], -32600, undefined],
  ["a null id", request(null, "tools/list"), -32600, undefined],
  ["an id that is an object", request({}, "tools/list"), -32600, undefined],
  ["an id that is no integer", request(1.5, "tools/list"), -32600, undefined],
  [
    "an id beyond what a number holds",
    '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
    -32600,
    undefined
  ],
  ["missing _meta", request(3, "tools/list", {}), -32602, 3],
  ["missing params", request(4, "tools/list"), -32602, 4],
  [
    "_meta without clientCapabilities",
    request(5, "tools/list", { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }),
    -32602,
    5
  ],
  [
    "an unknown version",
    modern(6, "tools/list", {}, { "io.modelcontextprotocol/protocolVersion": "2030-01-01" }),
    -32022,
    6
  ],
  [
    "a handshake version in _meta",
    modern(7, "tools/list", {}, { "io.modelcontextprotocol/protocolVersion": "2025-11-25" }),
    -32022,
    7
  ],
  ["an unknown method", modern(8, "nope/nope"), -32601, 8],
  ["an unknown tool", modern(9, "tools/call", { name: "nope" }), -32602, 9],
  ["a tool name of a wrong type", modern(10, "tools/call", { name: 7 }), -32602, 10],
  [
    "arguments that are a list",
    modern(11, "tools/call", { name: "buttons_list", arguments: [] }),
    -32602,
    11
  ],
  [
    "arguments that are null",
    modern(12, "tools/call", { name: "buttons_list", arguments: null }),
    -32602,
    12
  ],
  ["params that are a list", request(13, "tools/list", [1]), -32602, 13],
  ["a method of a wrong type", request(14, 7 as never), -32600, 14],
  ["another jsonrpc version", { jsonrpc: "1.0", id: 15, method: "ping" }, -32600, 15]
]

describe("bad input on stdio", () => {
  // verifies: CORE-06, CORE-12, CORE-13, P-06, P-21, P-25, P-30, P-24, P-23, P-79
  it.scopedLive("answers each wrong message with its error, its id where there is one, and lives on", () =>
    Effect.gen(function* () {
      const raw = yield* RawStdio.open(yield* dataFolder)
      for (const [name, line, code, id] of bad) {
        yield* raw.send(line)
        const reply = yield* raw.next
        assert.strictEqual(reply.error?.code, code, name)
        assert.strictEqual(reply.id, id, name)
        assert.strictEqual("id" in reply, id !== undefined, name)
        assert.notMatch(reply.error?.message ?? "", /\n|\bat .*:\d+/, name)
      }
      yield* alive(raw)
    })
  )

  // verifies: CORE-27, P-22, P-53, P-07
  it.scopedLive("answers nothing to notifications, responses and blank lines", () =>
    Effect.gen(function* () {
      const raw = yield* RawStdio.open(yield* dataFolder)
      yield* raw.send(
        { jsonrpc: "2.0", method: "notifications/zzz" },
        { jsonrpc: "2.0", method: "tools/list" },
        cancelled(99),
        cancelled(null),
        { jsonrpc: "2.0", method: "notifications/cancelled" },
        { jsonrpc: "2.0", id: 1, result: {} },
        { jsonrpc: "2.0", id: 1, error: { code: 1, message: "x" } },
        "",
        "\r"
      )
      yield* alive(raw)
      assert.strictEqual(raw.seen.length, 1)
    })
  )

  // verifies: CORE-03, P-01, P-07
  it.scopedLive(
    "reads characters that are split over writes, a byte order mark, and a huge line after its limit",
    () =>
      Effect.gen(function* () {
        const raw = yield* RawStdio.open(yield* dataFolder)
        const bytes = Buffer.from(
          `\uFEFF${JSON.stringify(modernPress("é🎈", "greet", { who: "Zoë 🎈" }))}\r\n`
        )
        for (const byte of bytes) yield* raw.sendBytes(Buffer.from([byte]))
        const reply = yield* raw.responseTo("é🎈")
        assert.deepInclude(reply.result?.["structuredContent"], { stdout: "hello Zoë 🎈\n" })
        yield* raw.sendBytes(Buffer.alloc(17 * 1024 * 1024, "x"))
        yield* raw.send("")
        assert.strictEqual((yield* raw.next).error?.code, -32600)
        yield* alive(raw)
      })
  )

  // verifies: TOOL-17, P-81
  it.scopedLive("makes bad tool arguments results that name every field", () =>
    Effect.gen(function* () {
      const raw = yield* RawStdio.open(yield* dataFolder)
      const call = (args: object) => modern("call", "tools/call", { name: "buttons_press", arguments: args })
      for (const [args, words] of [
        [{}, ["name"]],
        [{ name: 7, extra: true }, ["name", "extra"]],
        [{ name: "greet", args: ["x"] }, ["args"]],
        [{ name: "greet", args: { who: { deep: 1 } } }, ["args.who"]],
        [{ name: "greet", timeout: "soon" }, ["timeout"]]
      ] as const) {
        yield* raw.send(call(args))
        const { result } = yield* raw.responseTo("call")
        assert.isTrue(result?.["isError"])
        for (const word of words) assert.include(JSON.stringify(result?.["content"]), word)
      }
    })
  )

  const failures = [
    ["unknown", undefined, "NOT_FOUND", "no button"],
    ["../broken", undefined, "VALIDATION_ERROR", "buttons/broken/button.json:4"],
    ["../../etc", undefined, "NOT_FOUND", "no button"],
    ["hidden", undefined, "NOT_FOUND", "no button"],
    ["typo-hidden", undefined, "NOT_FOUND", "no button"],
    ["typo", undefined, "VALIDATION_ERROR", "args[0].type"],
    ["greet", undefined, "MISSING_ARG", "who"],
    ["greet", { who: "x", WHO: "y" }, "VALIDATION_ERROR", "WHO"],
    ["greet", { who: "a\u0000b" }, "VALIDATION_ERROR", "who"],
    ["greet", { who: "x".repeat(140_000) }, "VALIDATION_ERROR", "who"],
    ["choice", { colour: "blue" }, "VALIDATION_ERROR", "colour"],
    ["choice", { colour: "red", count: "many" }, "VALIDATION_ERROR", "count"],
    ["no-code", undefined, "SCRIPT_ERROR", "main.sh"],
    ["snake", undefined, "RUNTIME_MISSING", "python3"],
    ["killed", undefined, "SCRIPT_ERROR", "SIGKILL"]
  ] as const

  it.scopedLive("says clearly why each press failed, without a path of the machine", () =>
    Effect.gen(function* () {
      const folder = yield* dataFolder
      // A PATH that holds no interpreter; /bin/sh needs none.
      const raw = yield* RawStdio.open(folder, [], { PATH: "/nonexistent" })
      for (const [name, args, code, words] of failures) {
        yield* raw.send(modernPress("press", name, args))
        const { result } = yield* raw.responseTo("press")
        assert.isTrue(result?.["isError"], name)
        const text = textOf(result)
        assert.strictEqual(JSON.parse(text).code, code, `${name}: ${text}`)
        assert.include(JSON.parse(text).message, words)
        assert.notInclude(text, folder)
      }
      yield* alive(raw)
    })
  )

  it.scopedLive("serves the good buttons beside broken ones and reports those", () =>
    Effect.gen(function* () {
      const raw = yield* RawStdio.open(yield* dataFolder)
      yield* raw.send(modern("list", "tools/call", { name: "buttons_list" }))
      const { result } = yield* raw.responseTo("list")
      const { buttons, errors } = structured<Listing>(result)
      const names = buttons.map(({ name }) => name)
      assert.include(names, "greet")
      for (const absent of ["broken", "typo", "hidden", "typo-hidden"]) assert.notInclude(names, absent)
      assert.include(errors.join("\n"), "buttons/broken/button.json:4")
      assert.include(errors.join("\n"), "buttons/typo/button.json")
      assert.notInclude(errors.join("\n"), "typo-hidden")
      yield* raw.hangUp
      yield* raw.binary.exited
      assert.include(raw.binary.stderr(), "buttons/broken/button.json:4")
    })
  )

  // verifies: TOOL-20, P-103, P-106
  it.scopedLive(
    "bounds output, replaces bytes that are not UTF-8, gives no stdin and a bare environment",
    () =>
      Effect.gen(function* () {
        const raw = yield* RawStdio.open(yield* dataFolder, [], { SERVER_SECRET: "hunter2" })
        const stdout = (name: string) =>
          Effect.gen(function* () {
            yield* raw.send(modernPress(name, name))
            const { result } = yield* raw.responseTo(name)
            return structured<Pressed>(result)
          })
        const big = yield* stdout("big")
        assert.isTrue(big.truncated)
        assert.isBelow(big.stdout.length, 1_100_000)
        assert.match(big.stdout, /END\n$/)
        assert.strictEqual((yield* stdout("bytes")).stdout, "ok \uFFFD\uFFFD \uFFFD end\n")
        assert.strictEqual((yield* stdout("reads")).stdout, "stdin was empty\n")
        assert.notInclude((yield* stdout("secrets")).stdout, "hunter2")
        yield* alive(raw)
      })
  )

  // verifies: P-102
  it.scopedLive("stops a press at its timeout, child that ignores SIGTERM and all", () =>
    Effect.gen(function* () {
      const raw = yield* RawStdio.open(yield* dataFolder)
      const pipe = yield* Pipe.make
      yield* raw.send(modernPress("late", "late", { pipe: pipe.path }))
      const { result } = yield* raw.responseTo("late")
      assert.isTrue(result?.["isError"])
      assert.include(JSON.stringify(result), "TIMEOUT")
      yield* pipe.released
    })
  )

  // verifies: STDIO-10, P-11, P-101
  it.scopedLive("ends a press when stdin closes, records it, answers it, and exits 0", () =>
    Effect.gen(function* () {
      const folder = yield* dataFolder
      const raw = yield* RawStdio.open(folder, ["--grace", "0"])
      const pipe = yield* Pipe.make
      yield* raw.send(modernPress(1, "hold", { pipe: pipe.path }, { progressToken: 0 }))
      assert.strictEqual((yield* raw.next).method, "notifications/progress")
      yield* raw.hangUp
      yield* pipe.released
      assert.strictEqual((yield* raw.responseTo(1)).error?.code, -32603)
      assert.deepStrictEqual(yield* raw.binary.exited, { code: 0, signal: null })
      const pressed = join(folder, "buttons/hold/pressed")
      const [record = ""] = readdirSync(pressed).filter((name) => name.endsWith(".json"))
      assert.deepInclude(JSON.parse(readFileSync(join(pressed, record), "utf8")), {
        reason: "cancelled",
        exit_code: -1
      })
    })
  )

  // verifies: STDIO-03, P-09, ST-01, ST-02
  it.scopedLive("writes nothing but protocol lines to stdout from start to end", () =>
    Effect.gen(function* () {
      const raw = yield* RawStdio.open(yield* dataFolder)
      yield* raw.send(
        initialize(1),
        initialized,
        "garbage",
        modernPress(2, "secrets"),
        request(3, "tools/list")
      )
      yield* raw.responseTo(2)
      yield* raw.hangUp
      assert.deepStrictEqual(yield* raw.binary.exited, { code: 0, signal: null })
      for (const line of raw.binary.stdout().trimEnd().split("\n")) {
        assert.strictEqual(JSON.parse(line).jsonrpc, "2.0")
      }
    })
  )
})
