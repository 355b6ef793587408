/** What the transports bear: long lines, odd headers, streams of every kind. */
import { PassThrough } from "node:stream"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import * as StdioTransport from "@pushbutton/stdio/StdioTransport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { httpOf, overHttp } from "../everything/support/served.js"
import { modern, modernPress } from "../support/messages.js"
import * as RawHttp from "../support/rawHttp.js"
import * as Odd from "./support/odd.js"

const limit = 24 * 1024 * 1024
const piece = Buffer.alloc(64 * 1024, "x")

setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")

/** Bytes in buffers that somebody still holds. */
const kept = () => {
  // The second one ends what the first has begun.
  collect()
  collect()
  return process.memoryUsage().arrayBuffers
}

/** A pipe with a limit of its own. */
const piped = Effect.gen(function* () {
  const { layer } = yield* Odd.make
  const input = new PassThrough({ highWaterMark: 1024 * 1024 })
  const output = new PassThrough()
  const replies = yield* Queue.unbounded<RawHttp.Json>()
  output.setEncoding("utf8").on("data", (text: string) => {
    for (const line of text.trimEnd().split("\n")) Queue.unsafeOffer(replies, JSON.parse(line))
  })
  yield* Layer.build(
    Layer.provide(StdioTransport.layer({ input, output, maxMessageBytes: limit, drainGrace: 0 }), layer)
  )
  /** Completes when there is room for more. */
  const write = (chunk: Buffer | string) =>
    Effect.async<void>((resume) => {
      if (input.write(chunk)) resume(Effect.void)
      else input.once("drain", () => resume(Effect.void))
    })
  return { write, next: Queue.take(replies) }
})

describe("a line on stdio", () => {
  // verifies: P-08
  it.scopedLive("of 20 MB in small pieces is read where the limit allows it", () =>
    Effect.gen(function* () {
      const pipe = yield* piped
      const [head = "", tail = ""] = JSON.stringify(
        modern(1, "tools/call", { name: "keys", arguments: { text: "|" } })
      ).split("|")
      yield* pipe.write(head)
      for (let sent = 0; sent < 20_000_000; sent += piece.length) yield* pipe.write(piece)
      yield* pipe.write(`${tail}\n`)
      assert.strictEqual((yield* pipe.next).result.content[0].text, "text")
    })
  )

  // verifies: P-08
  it.scopedLive("of 200 MB is not kept: it gets one error, and the next one is served", () =>
    Effect.gen(function* () {
      const pipe = yield* piped
      const before = kept()
      // Each piece is memory of its own, or keeping them all would cost nothing.
      for (let sent = 0; sent < 200_000_000; sent += piece.length) yield* pipe.write(Buffer.from(piece))
      assert.isBelow(kept() - before, 2 * limit)
      assert.strictEqual((yield* pipe.next).error.code, -32600)
      yield* pipe.write(`\n${JSON.stringify(modern(2, "server/discover"))}\n`)
      assert.strictEqual((yield* pipe.next).id, 2)
    })
  )
})

describe("a POST", () => {
  // verifies: P-32, P-33, SH-03
  it.scopedLive.each([
    ["*/*", "application/json"],
    ["application/*, text/*", "application/json"],
    ["Application/JSON", "application/json"],
    ["text/event-stream", "text/event-stream"],
    ["application/json;q=0, text/event-stream", "text/event-stream"],
    ["text/event-stream;q=0.5, */*;q=0.1", "application/json"],
    ["application/json ; q=nonsense", "application/json"]
  ])("that accepts %s is answered so", ([accept, type]) =>
    Effect.gen(function* () {
      const { url } = yield* overHttp
      const answer = yield* RawHttp.post(url, { body: modern(1, "tools/list"), headers: { accept } })
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("content-type"), type)
      assert.isNotEmpty(answer.body.result.tools)
    })
  )

  // verifies: P-32, SH-03
  it.scopedLive("that accepts neither type is told which there are", () =>
    Effect.gen(function* () {
      const { url } = yield* overHttp
      const answer = yield* RawHttp.post(url, { body: modern(1, "tools/list"), headers: { accept: "a/b" } })
      assert.strictEqual(answer.status, 406)
      assert.include(answer.body.error.message, "application/json")
      assert.include(answer.body.error.message, "text/event-stream")
    })
  )

  // verifies: P-40
  it.scopedLive("that is answered by a stream of any kind forbids to hold it back", () =>
    Effect.gen(function* () {
      const { url } = yield* httpOf((yield* Odd.make).layer)
      for (const post of [
        { body: modern(1, "tools/call", { name: "steps" }, { progressToken: 1 }) },
        { body: modern(2, "subscriptions/listen", { notifications: { toolsListChanged: true } }) },
        { body: modern(3, "subscriptions/listen", { notifications: {} }) },
        { body: modern(4, "tools/list"), headers: { accept: "text/event-stream" } },
        { body: modernPress(5, "nobody"), headers: { accept: "text/event-stream" } }
      ]) {
        const controller = new AbortController()
        const { headers } = yield* Effect.promise(() =>
          RawHttp.fetchRaw(url, { ...post, signal: controller.signal })
        )
        controller.abort()
        assert.strictEqual(headers.get("content-type"), "text/event-stream", JSON.stringify(post))
        assert.strictEqual(headers.get("x-accel-buffering"), "no")
        assert.strictEqual(headers.get("cache-control"), "no-cache, no-transform")
      }
    })
  )
})
