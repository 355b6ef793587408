import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import * as Base64Url from "../src/internal/base64url.js"

const bytes = fc.uint8Array({ maxLength: 40 })

describe("base64url", () => {
  it.prop("writes what Node writes", [bytes], ([sent]) => {
    assert.strictEqual(Base64Url.encode(sent), Buffer.from(sent).toString("base64url"))
  })

  it.prop("reads what it has written", [bytes], ([sent]) => {
    assert.deepStrictEqual(Base64Url.decode(Base64Url.encode(sent)), sent)
  })

  it.prop(
    "reads nothing else",
    [fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: fc.constantFrom(..."AB-_=+/") }))],
    ([text]) => {
      const read = Base64Url.decode(text)
      if (read !== undefined) assert.strictEqual(Base64Url.encode(read), text)
    }
  )
})
