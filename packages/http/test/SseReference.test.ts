import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Reference from "../src/internal/httpSse/reference.js"

describe("the reference of the endpoint event", () => {
  it.each([
    ["/sse", "/messages", "./messages"],
    ["/sse/", "/messages", "../messages"],
    ["/mcp/sse", "/mcp/messages", "./messages"],
    ["/a/b/sse", "/a/messages", "../messages"],
    ["/sse", "/a/messages", "./a/messages"],
    ["/sse", "/", "./"],
    ["/sse", "/a:b", "./a:b"]
  ])("leads from %s to %s as %s", (from, to, expected) => {
    assert.strictEqual(Reference.relative(from, to), expected)
  })

  const path = FastCheck.array(FastCheck.constantFrom("a", "b", "a:b", "sse"), {
    minLength: 1,
    maxLength: 4
  }).map((segments) => `/${segments.join("/")}`)

  // verifies: TRAP-23
  it("is resolved to the other path by any client, below any prefix that a proxy adds", () => {
    FastCheck.assert(
      FastCheck.property(
        path,
        path,
        FastCheck.constantFrom("", "/"),
        FastCheck.constantFrom("", "/p", "/p/q"),
        (from, to, slash, prefix) => {
          const stream = `https://host${prefix}${from}${slash}`
          const url = new URL(Reference.withKey(Reference.relative(`${from}${slash}`, to), "k"), stream)
          assert.strictEqual(url.href, `https://host${prefix}${to}?sessionId=k`)
        }
      )
    )
  })

  it("carries any key, and whatever else the URL has", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ minLength: 1, unit: "grapheme" }), (key) => {
        for (const reference of ["./messages", "https://host/messages?a=b"]) {
          assert.strictEqual(Reference.keyOf(Reference.withKey(reference, key)), key)
        }
      })
    )
    assert.isUndefined(Reference.keyOf("/messages"))
    assert.isUndefined(Reference.keyOf("/messages?session=k"))
  })
})
