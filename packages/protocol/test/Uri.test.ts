import { assert, describe, it } from "@effect/vitest"
import * as Uri from "@pushbutton/protocol/Uri"
import * as fc from "effect/FastCheck"

describe("Uri.normalize", () => {
  it("leaves a URI in normal spelling as it is", () => {
    for (const uri of [
      "x:",
      "test://static-text",
      "file:///a/../b/./c",
      "http://[::1]:80/?q=a&b=;c=1#top",
      "urn:isbn:0451450523",
      "a+b-c.1:%2F"
    ]) {
      assert.strictEqual(Uri.normalize(uri), uri)
    }
  })

  it("gives equal URIs one spelling", () => {
    for (const [written, normal] of [
      ["TEST://Host/Path", "test://Host/Path"],
      ["x://%7euser/%41%2d%5F", "x://~user/A-_"],
      ["x://a%2fb", "x://a%2Fb"],
      ["x://café", "x://caf%C3%A9"],
      ["x://caf%c3%a9", "x://caf%C3%A9"],
      ["x://日本/😀", "x://%E6%97%A5%E6%9C%AC/%F0%9F%98%80"],
      ["x://%2541", "x://%2541"]
    ] as const) {
      assert.strictEqual(Uri.normalize(written), normal)
    }
  })

  it("refuses what is no absolute URI", () => {
    for (const text of [
      "",
      "not a uri",
      "relative/path",
      "//host/path",
      "1x://a",
      "x://a b",
      "x://a\u0000",
      "x://a\n",
      "x://a\u0085",
      "x://\\",
      "x://{id}",
      "x://%",
      "x://%4",
      "x://%zz",
      "x://\ud800",
      "x://a|b"
    ]) {
      assert.isUndefined(Uri.normalize(text), JSON.stringify(text))
    }
  })

  it("reads URIs up to a length", () => {
    assert.strictEqual(Uri.normalize(`x:${"a".repeat(8190)}`)?.length, 8192)
    assert.isUndefined(Uri.normalize(`x:${"a".repeat(8191)}`))
  })

  it.prop("is total, and has nothing to do the second time", [fc.string({ unit: "binary" })], ([text]) => {
    const normal = Uri.normalize(`X:${text}`)
    if (normal !== undefined && normal.length <= Uri.maxLength) {
      assert.strictEqual(Uri.normalize(normal), normal)
      assert.match(normal, /^x:[!-~]*$/)
    }
  })
})
