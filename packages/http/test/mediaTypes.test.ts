import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as MediaTypes from "../src/internal/mediaTypes.js"

describe("mediaTypes", () => {
  // verifies: P-32, P-33
  describe("accepts", () => {
    const cases: ReadonlyArray<readonly [header: string | undefined, json: boolean, sse: boolean]> = [
      [undefined, true, true],
      ["", true, true],
      ["application/json, text/event-stream", true, true],
      ["text/event-stream,application/json", true, true],
      ["*/*", true, true],
      ["*", true, true],
      ["application/*, text/*", true, true],
      ["Application/JSON", true, false],
      ["application/json", true, false],
      ["text/event-stream", false, true],
      ["TEXT/Event-Stream ; q=1", false, true],
      ["text/html", false, false],
      ["application/jsonp", false, false],
      ["application", false, false],
      ["application/json;q=0, text/event-stream", false, true],
      ["application/json;q=0, */*", false, true],
      ["text/event-stream;q=0.5, */*;q=0.1", true, true],
      ["*/*;q=0", false, false],
      ["*/*;q=0.000, application/json", true, false],
      ["application/*;q=0, application/json", true, false],
      ["application/json, application/json;q=0", true, false],
      ["  application/json  ;  Q = 0 ,, text/event-stream", false, true],
      ["application/json;q=nonsense", true, false],
      ["application/json;q=", true, false],
      ["text/html, image/gif, *; q=.2, */*; q=.2", true, true],
      ['application/json;profile="a,b";q=0, text/event-stream', false, true],
      ['application/json;profile="a;q=0"', true, false],
      ['application/json;profile="\\",', true, false]
    ]
    for (const [header, json, sse] of cases) {
      it(`reads ${JSON.stringify(header)}`, () => {
        assert.deepStrictEqual(MediaTypes.accepts(header), { json, sse })
      })
    }
  })

  // verifies: P-33
  it.prop(
    "reads any header",
    [FastCheck.stringOf(FastCheck.constantFrom(...'*/;,q=01.\\"a '))],
    ([header]) => {
      const { json, sse } = MediaTypes.accepts(header)
      assert.isBoolean(json && sse)
    }
  )

  // verifies: P-34
  describe("isJson", () => {
    const cases: ReadonlyArray<readonly [header: string | undefined, isJson: boolean]> = [
      ["application/json", true],
      ["application/json; charset=utf-8", true],
      ["APPLICATION/JSON", true],
      [" application/json ;x=1", true],
      [undefined, false],
      ["", false],
      ["text/plain", false],
      ["application/jsonp", false],
      ["application/json, text/plain", false],
      ["application/vnd.api+json", false]
    ]
    for (const [header, isJson] of cases) {
      it(`${isJson ? "takes" : "refuses"} ${JSON.stringify(header)}`, () => {
        assert.strictEqual(MediaTypes.isJson(header), isJson)
      })
    }
  })
})
