import * as Fs from "node:fs"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as PressProgress from "@pushbutton/buttons/PressProgress"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as FileTail from "../src/internal/fileTail.js"
import * as Temporary from "./support/temporary.js"

describe("PressProgress.decodeLine", () => {
  it.each<[string, PressProgress.Update | undefined]>([
    ['{"ts":"x","event":"progress","pct":0.25,"msg":"step"}', { progress: 0.25, total: 1, message: "step" }],
    ['{"event":"log","level":"info","msg":"hello"}', { message: "hello" }],
    ['{"message":"hello","msg":"older"}', { message: "hello" }],
    ['{"progress":2,"total":5,"message":"two"}', { progress: 2, total: 5, message: "two" }],
    ['{"progress":2}', { progress: 2 }],
    ['{"progress":7,"total":5}', { progress: 5, total: 5 }],
    ['{"progress":-1,"total":0}', { progress: 0 }],
    ['{"pct":1.5}', { progress: 1, total: 1 }],
    ['{"pct":-0.5}', { progress: 0, total: 1 }],
    ['{"pct":.20000000000000000000,"msg":"bc"}', { progress: 0.2, total: 1, message: "bc" }],
    ['{"pct": -.5, "total":.5}', { progress: 0, total: 1 }],
    ['{"pct":"half","msg":5}', undefined],
    ['{"pct":1e999,"msg":""}', undefined],
    ["{}", undefined],
    ["  \r", undefined],
    ["half done", { message: "half done" }],
    ["{oops", { message: "{oops" }],
    ["[1]", { message: "[1]" }],
    ["42", { message: "42" }]
  ])("reads %j", (line, expected) => {
    assert.deepStrictEqual(PressProgress.decodeLine(line), expected)
  })

  it("shortens a long message between code points", () => {
    const message = PressProgress.decodeLine(`${"x".repeat(998)}😀 and more`)?.message ?? ""
    assert.strictEqual(message, `${"x".repeat(998)}…`)
  })

  it("has a message cleaned before any of it is cut off", () => {
    const clean = (message: string) => message.replace("secret", "[redacted]")
    const padding = "x".repeat(PressProgress.maxMessageLength - 3)
    for (const line of [`${padding}secret`, JSON.stringify({ message: `${padding}secret` })]) {
      assert.notInclude(PressProgress.decodeLine(line, clean)?.message, "se")
    }
    assert.deepStrictEqual(PressProgress.decodeLine('{"msg":"a secr\\u0065t"}', clean), {
      message: "a [redacted]"
    })
  })

  it.prop(
    "is total, and never passes its total",
    [FastCheck.oneof(FastCheck.string(), FastCheck.json())],
    ([line]) => {
      const update = PressProgress.decodeLine(line)
      assert.isAtMost(update?.progress ?? 0, update?.total ?? Number.POSITIVE_INFINITY)
      assert.isAtMost(update?.message?.length ?? 0, PressProgress.maxMessageLength)
    }
  )
})

describe("PressProgress.follow", () => {
  /** A file to append to, and the lines that arrived so far. */
  const following = Effect.gen(function* () {
    const path = Path.join(yield* Temporary.folder, "progress.jsonl")
    Fs.writeFileSync(path, "")
    const lines: Array<string> = []
    const waiting = new Map<string, Deferred.Deferred<void>>()
    const tail = yield* PressProgress.follow(path, (line) => {
      lines.push(line)
      const waiter = waiting.get(line)
      return waiter === undefined ? Effect.void : Deferred.succeed(waiter, undefined)
    })
    const append = (text: string) => Effect.sync(() => Fs.appendFileSync(path, text))
    const appendAndAwait = (text: string, line: string) =>
      Effect.gen(function* () {
        const arrived = yield* Deferred.make<void>()
        waiting.set(line, arrived)
        yield* append(text)
        yield* Deferred.await(arrived)
      })
    return { path, lines, tail, append, appendAndAwait }
  })

  it.scopedLive("delivers lines while the file grows, however they are written", () =>
    Effect.gen(function* () {
      const { appendAndAwait, lines, tail } = yield* following
      yield* appendAndAwait("one\nt", "one")
      yield* appendAndAwait("wo\r\n\nthree\n", "three")
      yield* tail.finish
      assert.deepStrictEqual(lines, ["one", "two", "", "three"])
    })
  )

  it.scopedLive("delivers at the end what was written last, an unfinished line included", () =>
    Effect.gen(function* () {
      const { append, lines, tail } = yield* following
      yield* append("one\ntwo\nthree €".repeat(1_000))
      yield* tail.finish
      assert.lengthOf(lines, 2_001)
      assert.strictEqual(lines.at(-1), "three €")
    })
  )

  it.scopedLive("starts over when the file does", () =>
    Effect.gen(function* () {
      const { appendAndAwait, lines, path, tail } = yield* following
      yield* appendAndAwait("first line\n", "first line")
      Fs.writeFileSync(path, "new\n")
      yield* tail.finish
      assert.deepStrictEqual(lines, ["first line", "new"])
    })
  )

  it.scopedLive("has no lines when there is no file", () =>
    Effect.gen(function* () {
      const folder = yield* Temporary.folder
      const tail = yield* PressProgress.follow(Path.join(folder, "none"), () => Effect.die("a line"))
      yield* tail.finish
    })
  )

  it.scopedLive("stops reading a file that is too long", () =>
    Effect.gen(function* () {
      const { append, lines, tail } = yield* following
      yield* append(`${"x".repeat(8_191)}\n`.repeat(2_200))
      yield* tail.finish
      assert.strictEqual(lines.length, FileTail.maxFileBytes / 8_192)
    })
  )
})

describe("fileTail.makeLines", () => {
  it("keeps the beginning of a line that is too long, and the next one whole", () => {
    const lines = FileTail.makeLines(4)
    const push = (text: string) => lines.push(new TextEncoder().encode(text))
    assert.deepStrictEqual([push("abc"), push("def"), push("ghi\nxy\nz")], [[], [], ["abcd", "xy"]])
    assert.strictEqual(lines.rest(), "z")
    assert.strictEqual(lines.rest(), undefined)
  })

  it.prop(
    "gives the same lines however the bytes are split",
    [FastCheck.array(FastCheck.constantFrom("a", "€", "\n")), FastCheck.nat()],
    ([letters, at]) => {
      const bytes = new TextEncoder().encode(letters.join(""))
      const lines = FileTail.makeLines(1_000)
      const cut = at % (bytes.length + 1)
      const found = [
        ...lines.push(bytes.subarray(0, cut)),
        ...lines.push(bytes.subarray(cut)),
        lines.rest() ?? ""
      ]
      assert.deepStrictEqual(found, letters.join("").split("\n"))
    }
  )
})
