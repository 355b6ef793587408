import { Readable } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Body from "../src/internal/body.js"
import type * as HttpRequest from "../src/internal/HttpRequest.js"

const read = (chunks: ReadonlyArray<Uint8Array>, limitBytes: number, declaredBytes = 0) =>
  Effect.async<HttpRequest.Body>((resume) => {
    const source = Readable.from(
      chunks.map((chunk) => Buffer.from(chunk)),
      { objectMode: false }
    )
    Body.read(source, declaredBytes, limitBytes, (body) => resume(Effect.succeed(body)))
  })

/** A text as bytes, cut at any places. */
const cutText = FastCheck.tuple(FastCheck.fullUnicodeString(), FastCheck.array(FastCheck.nat(64))).map(
  ([text, places]) => {
    const bytes = Buffer.from(text)
    const cuts = [...places.filter((place) => place < bytes.length), bytes.length].sort((a, b) => a - b)
    return { text, bytes, chunks: cuts.map((end, at) => bytes.subarray(cuts[at - 1] ?? 0, end)) }
  }
)

describe("body", () => {
  it.effect.prop("is the same text however its bytes arrive", [cutText], ([{ bytes, chunks, text }]) =>
    Effect.map(read(chunks, bytes.length), (body) => assert.deepStrictEqual(body, { _tag: "Text", text }))
  )

  it.effect.prop(
    "is never longer than the limit",
    [cutText, FastCheck.nat(64)],
    ([{ bytes, chunks }, limit]) =>
      Effect.map(read(chunks, limit), (body) =>
        assert.strictEqual(body._tag, bytes.length > limit ? "TooLarge" : "Text")
      )
  )

  it.effect("is refused by its declared length", () =>
    Effect.map(read([], 10, 11), (body) => assert.strictEqual(body._tag, "TooLarge"))
  )

  it.effect("is refused when it is no UTF-8", () =>
    Effect.map(read([Uint8Array.of(0x22, 0xc3), Uint8Array.of(0x22)], 10), (body) =>
      assert.strictEqual(body._tag, "NotUtf8")
    )
  )
})
