import { assert, describe, it } from "@effect/vitest"
import type { JsonValue } from "@pushbutton/protocol/Json"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as fc from "effect/FastCheck"
import { jsonObject, jsonValue, objectWith, requestId } from "./arbitraries/json.js"

/** Tag, id and error text, which is all that differs between malformed messages. */
const summary = (message: JsonRpc.Incoming) =>
  message._tag === "Malformed"
    ? {
        tag: message.error._tag,
        id: message.id,
        detail: "detail" in message.error ? message.error.detail : ""
      }
    : { tag: message._tag, id: "id" in message ? message.id : undefined, detail: "" }

const checkMalformed = (text: string, tag: "ParseError" | "InvalidRequest", id?: string | number) => {
  const found = summary(JsonRpc.decode(text))
  assert.deepStrictEqual({ tag: found.tag, id: found.id }, { tag, id }, text)
}

const nest = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`

describe("JsonRpc", () => {
  describe("decode", () => {
    it("reads a request with its params as sent", () => {
      assert.deepStrictEqual(JsonRpc.decode('{"jsonrpc":"2.0","id":7,"method":"a/b","params":{"x":null}}'), {
        _tag: "Request",
        id: 7,
        method: "a/b",
        params: { x: null }
      })
    })

    // verifies: CORE-06, P-17
    it("keeps every kind of id in value and type", () => {
      const ids: ReadonlyArray<readonly [string, string | number]> = [
        ["0", 0],
        ["-1", -1],
        ['""', ""],
        ['"1"', "1"],
        ["1", 1],
        ["9007199254740991", 9007199254740991],
        [JSON.stringify("x".repeat(1024)), "x".repeat(1024)]
      ]
      for (const [text, id] of ids) {
        const message = JsonRpc.decode(`{"jsonrpc":"2.0","id":${text},"method":"m"}`)
        assert.deepStrictEqual(message, { _tag: "Request", id, method: "m", params: undefined })
      }
    })

    // verifies: CORE-06, P-27, P-30
    it("refuses an id that is neither a short string nor a safe integer", () => {
      for (const id of [
        "null",
        "true",
        "{}",
        "[]",
        "1.5",
        "9007199254740992",
        "1e400",
        JSON.stringify("x".repeat(1025))
      ]) {
        checkMalformed(`{"jsonrpc":"2.0","id":${id},"method":"m"}`, "InvalidRequest")
      }
    })

    it("reads a message without id as a notification", () => {
      assert.deepStrictEqual(JsonRpc.decode('{"jsonrpc":"2.0","method":"n"}'), {
        _tag: "Notification",
        method: "n",
        params: undefined
      })
    })

    it("keeps params of any JSON type, for the layer above to judge", () => {
      for (const params of ["null", "[]", "0", '""', "false"]) {
        const message = JsonRpc.decode(`{"jsonrpc":"2.0","id":1,"method":"m","params":${params}}`)
        assert.deepStrictEqual(message, { _tag: "Request", id: 1, method: "m", params: JSON.parse(params) })
      }
    })

    it("reads results and errors as responses, whatever their id", () => {
      for (const [text, id] of [
        ['{"jsonrpc":"2.0","id":0,"result":{}}', 0],
        ['{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":""}}', "a"],
        ['{"jsonrpc":"2.0","id":null,"error":{}}', undefined],
        ['{"jsonrpc":"2.0","result":null}', undefined]
      ] as const) {
        assert.deepStrictEqual(JsonRpc.decode(text), { _tag: "Response", id, body: JSON.parse(text) })
      }
    })

    it("tolerates unknown members, `result` beside a method and hostile names among them", () => {
      const text =
        '{"jsonrpc":"2.0","id":1,"method":"m","result":1,"x":2,"__proto__":{"method":3},"constructor":4}'
      assert.deepStrictEqual(JsonRpc.decode(text), { _tag: "Request", id: 1, method: "m", params: undefined })
    })

    it("does not take inherited members for its own", () => {
      checkMalformed('{"__proto__":{"jsonrpc":"2.0","id":1,"method":"m"}}', "InvalidRequest")
      checkMalformed('{"jsonrpc":"2.0","__proto__":{"id":1,"method":"m"}}', "InvalidRequest")
    })

    it("strips one leading byte order mark", () => {
      assert.strictEqual(JsonRpc.decode('\uFEFF{"jsonrpc":"2.0","method":"n"}')._tag, "Notification")
      checkMalformed('\uFEFF\uFEFF{"jsonrpc":"2.0","method":"n"}', "ParseError")
    })

    // verifies: CORE-13
    it("calls text that is not JSON a parse error without id", () => {
      for (const text of [
        "",
        "{",
        "nul",
        '{"id":1,}',
        "undefined",
        '{"jsonrpc":"2.0"}{}',
        nest(3).slice(1)
      ]) {
        checkMalformed(text, "ParseError")
      }
    })

    // verifies: CORE-02
    it("calls JSON of another shape an invalid request", () => {
      for (const text of ["1", '"x"', "null", "true", "{}"]) {
        checkMalformed(text, "InvalidRequest")
      }
    })

    // verifies: CORE-12, P-06, LC-30
    it("answers an invalid request under its id when one can be read", () => {
      checkMalformed('{"id":1,"method":"m"}', "InvalidRequest", 1)
      checkMalformed('{"jsonrpc":2.0,"id":"a","method":"m"}', "InvalidRequest", "a")
      checkMalformed('{"jsonrpc":"1.0","id":0,"method":"m"}', "InvalidRequest", 0)
      checkMalformed('{"jsonrpc":"2.0","id":"","method":5}', "InvalidRequest", "")
      checkMalformed('{"jsonrpc":"2.0","id":3,"method":null}', "InvalidRequest", 3)
      checkMalformed('{"jsonrpc":"2.0","id":4}', "InvalidRequest", 4)
      checkMalformed('{"jsonrpc":"2.0","id":null,"method":5}', "InvalidRequest")
    })

    // verifies: P-28
    it("refuses a message nested deeper than 128 levels, under its id", () => {
      const message = (depth: number) => `{"jsonrpc":"2.0","id":5,"method":"m","params":${nest(depth)}}`
      assert.strictEqual(JsonRpc.decode(message(127))._tag, "Request")
      checkMalformed(message(128), "InvalidRequest", 5)
      checkMalformed(message(100_000), "InvalidRequest", 5)
    })

    it("counts levels and not brackets", () => {
      const siblings = `{"a":[${Array.from({ length: 300 }, () => "[]").join()}],"b":${JSON.stringify("[{".repeat(300))}}`
      assert.strictEqual(
        JsonRpc.decode(`{"jsonrpc":"2.0","id":5,"method":"m","params":${siblings}}`)._tag,
        "Request"
      )
    })

    // verifies: BA-01, BA-02
    it("reads an array as a batch, each of its items on its own, and bounds their number", () => {
      const [ask, tell, answer] = [
        '{"jsonrpc":"2.0","id":1,"method":"m"}',
        '{"jsonrpc":"2.0","method":"n"}',
        '{"jsonrpc":"2.0","id":2,"result":{}}'
      ]
      const tags = (text: string) => {
        const message = JsonRpc.decode(text)
        return message._tag === "Batch" ? message.messages.map(({ _tag }) => _tag) : message._tag
      }
      assert.deepStrictEqual(tags(`[${ask},${tell},1,${answer},[${ask}]]`), [
        "Request",
        "Notification",
        "Malformed",
        "Response",
        "Malformed"
      ])
      assert.strictEqual(tags(nest(100_000))[0], "Malformed")
      const many = (count: number) => `[${Array.from({ length: count }, () => tell).join()}]`
      assert.strictEqual(tags(many(JsonRpc.maxBatch)).length, JsonRpc.maxBatch)
      assert.strictEqual(tags(many(JsonRpc.maxBatch + 2)).length, JsonRpc.maxBatch + 1)
      assert.deepStrictEqual(tags("[]"), [])
    })

    // verifies: CORE-17
    it("says in one short sentence what is wrong and quotes nothing", () => {
      const texts = [
        "x".repeat(5000),
        JSON.stringify("x".repeat(5000)),
        JSON.stringify({ jsonrpc: "x".repeat(5000) }),
        JSON.stringify({ jsonrpc: "2.0", id: "x".repeat(5000), method: "m" }),
        JSON.stringify({ jsonrpc: "2.0", id: 1, method: ["x".repeat(5000)] })
      ]
      for (const text of texts) {
        const { detail } = summary(JsonRpc.decode(text))
        assert.isTrue(detail.length > 0 && detail.length < 100, detail)
        assert.notInclude(detail, "xxx")
      }
    })

    it.prop("never throws, whatever the text", [fc.oneof(fc.string(), fc.json())], ([text]) => {
      assert.include(["Request", "Notification", "Response", "Malformed", "Batch"], JsonRpc.decode(text)._tag)
    })
  })

  describe("classify", () => {
    it.prop("is total on any JSON", [jsonValue], ([json]) => {
      assert.include(["Request", "Notification", "Response", "Malformed"], JsonRpc.classify(json)._tag)
    })

    it.prop(
      "is total on anything that looks like a message, and never invents an id",
      [
        objectWith({
          jsonrpc: fc.constant("2.0"),
          id: requestId,
          method: fc.constantFrom("ping", "tools/call"),
          params: jsonObject,
          result: jsonObject
        })
      ],
      ([json]) => {
        const message = JsonRpc.classify(json)
        if (message._tag === "Notification") return
        const sent: JsonValue | undefined = json["id"]
        if (message.id !== undefined) assert.deepStrictEqual<unknown>(message.id, sent)
      }
    )
  })

  describe("encode", () => {
    // verifies: CORE-08, CORE-09, LC-28
    it("writes a result under the id exactly as sent", () => {
      assert.strictEqual(JsonRpc.encodeResult(0, {}), '{"jsonrpc":"2.0","id":0,"result":{}}')
      assert.strictEqual(
        JsonRpc.encodeResult("7", { a: null }),
        '{"jsonrpc":"2.0","id":"7","result":{"a":null}}'
      )
      assert.strictEqual(
        JsonRpc.encodeResultText("", '{"a":1}'),
        '{"jsonrpc":"2.0","id":"","result":{"a":1}}'
      )
    })

    // verifies: CORE-12, CORE-13, LC-30, EN-33
    it("leaves the id out of an error that answers nothing readable", () => {
      const error = { code: -32700, message: "no" }
      assert.strictEqual(
        JsonRpc.encodeError(undefined, error),
        '{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}}'
      )
      assert.strictEqual(
        JsonRpc.encodeError(0, { ...error, data: null }),
        '{"jsonrpc":"2.0","id":0,"error":{"code":-32700,"message":"no","data":null}}'
      )
    })

    // verifies: CORE-28
    it("writes a notification without id, with or without params", () => {
      assert.strictEqual(JsonRpc.encodeNotification("n"), '{"jsonrpc":"2.0","method":"n"}')
      assert.strictEqual(JsonRpc.encodeNotification("n", {}), '{"jsonrpc":"2.0","method":"n","params":{}}')
    })

    // verifies: CORE-08, STDIO-02
    it.prop(
      "gives one line that decodes to the same id and result",
      [requestId, jsonObject],
      ([id, result]) => {
        const text = JsonRpc.encodeResult(id, result)
        assert.notMatch(text, /[\r\n]/)
        const wire = JSON.parse(text)
        assert.strictEqual(JSON.stringify(wire.id), JSON.stringify(id))
        assert.strictEqual(JSON.stringify(wire.result), JSON.stringify(result))
        assert.strictEqual(JsonRpc.decode(text)._tag, "Response")
      }
    )

    // verifies: STDIO-02
    it.prop(
      "gives one line that decodes to the same notification",
      [fc.string(), jsonObject],
      ([method, params]) => {
        const text = JsonRpc.encodeNotification(method, params)
        assert.notMatch(text, /[\r\n]/)
        const message = JsonRpc.decode(text)
        assert.strictEqual(
          JSON.stringify(message),
          JSON.stringify({ _tag: "Notification", method, params: JSON.parse(JSON.stringify(params)) })
        )
      }
    )
  })
})
