/** Tools, resources and prompts, as clients call them against all odds, and as strict clients read them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { declaring, everyCapability, httpOf, overHttp, stdioOf } from "../everything/support/served.js"
import * as Binary from "../support/binary.js"
import { dataFolder } from "../support/buttons.js"
import { initialize, modern, request } from "../support/messages.js"
import * as RawHttp from "../support/rawHttp.js"
import * as Odd from "./support/odd.js"

describe("a call", () => {
  const absent = Symbol("absent")
  const shapes = [absent, {}, null, [], "x", 0, true]

  // verifies: P-79
  it.scopedLive.each(["none", "optional", "required"])(
    "of a tool that takes %s, with any arguments",
    (name) =>
      Effect.gen(function* () {
        const { called, layer } = yield* Odd.make
        const { ask, url } = yield* httpOf(layer)
        const opened = yield* RawHttp.post(url, { body: initialize(0) })
        const headers = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" }
        for (const shape of shapes) {
          const params = { name, ...(shape === absent ? {} : { arguments: shape }) }
          const answers = [
            yield* ask("tools/call", params),
            yield* RawHttp.post(url, { body: request(1, "tools/call", params), headers })
          ]
          for (const { body, status } of answers) {
            assert.strictEqual(status, 200)
            if (shape === absent || (typeof shape === "object" && shape !== null && !Array.isArray(shape))) {
              assert.strictEqual(body.result.isError ?? false, name === "required")
            } else {
              assert.strictEqual(body.error.code, -32602)
            }
          }
        }
        assert.strictEqual(called.length, name === "required" ? 0 : 4)
      })
  )

  // verifies: P-29
  it.scopedLive("finds nothing under a name that every object inherits", () =>
    Effect.gen(function* () {
      const { ask } = yield* httpOf((yield* Odd.make).layer)
      for (const name of ["toString", "constructor", "__proto__", "hasOwnProperty"]) {
        for (const method of ["tools/call", "prompts/get"]) {
          const { body, status } = yield* ask(method, { name })
          assert.deepStrictEqual([status, body.error.code], [200, -32602], `${method} ${name}`)
        }
        assert.strictEqual((yield* ask(name)).body.error.code, -32601)
      }
    })
  )

  // verifies: P-29
  it.scopedLive("has an argument named `__proto__` as any other", () =>
    Effect.gen(function* () {
      const pipe = yield* stdioOf((yield* Odd.make).layer)
      const text = JSON.stringify(modern(1, "tools/call", { name: "keys", arguments: { polluted: 1 } }))
      yield* pipe.send(text.replace('{"polluted":1}', '{"__proto__":{"polluted":1},"constructor":1}'))
      assert.strictEqual((yield* pipe.next).result.content[0].text, "__proto__ constructor")
      assert.isUndefined(Reflect.get({}, "polluted"))
    })
  )

  // verifies: P-71
  it.scopedLive("that needs input asks for something, whichever tool it is", () =>
    Effect.gen(function* () {
      const { ask } = yield* overHttp
      const meta = declaring({ ...everyCapability, extensions: {} })
      const { body } = yield* ask("tools/list")
      const asking: Array<string> = []
      for (const { inputSchema, name } of body.result.tools) {
        const args = Object.fromEntries((inputSchema.required ?? []).map((key: string) => [key, "x"]))
        const { result } = (yield* ask("tools/call", { name, arguments: args }, meta)).body
        if (result?.resultType !== "input_required") continue
        asking.push(name)
        assert.isNotEmpty(Object.keys(result.inputRequests), name)
      }
      assert.isAbove(asking.length, 10)
    })
  )

  // verifies: P-94
  it.scopedLive("of a prompt may leave everything optional out, and an empty text is a value", () =>
    Effect.gen(function* () {
      const { ask } = yield* httpOf((yield* Odd.make).layer)
      const text = (args: object) =>
        Effect.map(ask("prompts/get", { name: "free", ...args }), ({ body }) =>
          body.error === undefined ? body.result.messages[0].content.text : body.error.code
        )
      assert.strictEqual(yield* text({}), "absent")
      assert.strictEqual(yield* text({ arguments: {} }), "absent")
      assert.strictEqual(yield* text({ arguments: { other: "x" } }), "absent")
      assert.strictEqual(yield* text({ arguments: { tone: "" } }), "<>")
      assert.strictEqual(yield* text({ arguments: { tone: 7 } }), -32602)
    })
  )
})

describe("with default settings", () => {
  const lists = ["tools", "prompts", "resources", "resources/templates"]

  // verifies: P-62, P-64
  it.scopedLive("every list and reading has its type and safe hints", () =>
    Effect.gen(function* () {
      const { ask } = yield* httpOf((yield* Odd.make).layer)
      const answers = [
        yield* ask("server/discover"),
        ...(yield* Effect.forEach(lists, (list) => ask(`${list}/list`))),
        yield* ask("resources/read", { uri: "test://one" }),
        yield* ask("resources/read", { uri: "test://two/more" })
      ]
      for (const { body } of answers) {
        assert.deepInclude(body.result, { resultType: "complete", ttlMs: 0, cacheScope: "private" })
        assert.notProperty(body.result, "nextCursor")
      }
    })
  )

  // verifies: P-90
  it.scopedLive("a cursor that nobody handed out is refused by every list", () =>
    Effect.gen(function* () {
      const { ask } = yield* httpOf((yield* Odd.make).layer)
      for (const list of lists) {
        for (const cursor of ["bogus", "", 0, "0", {}]) {
          const { body } = yield* ask(`${list}/list`, { cursor })
          assert.strictEqual(body.error.code, -32602, `${list} ${JSON.stringify(cursor)}`)
        }
      }
    })
  )
})

describe("the tools of the product", () => {
  const versions = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
  const keywords = ["$schema", "$ref", "$id", "$defs", "definitions", "$dynamicRef"]
  const alternatives = ["anyOf", "oneOf", "allOf", "not", "if"]

  // verifies: P-85, P-86, P-87, P-88, TO-10, TO-09
  it.scopedLive("have names and schemas that every client can read, in each revision", () =>
    Effect.gen(function* () {
      const { url } = yield* Binary.http(yield* dataFolder)
      for (const version of versions) {
        const tools = yield* list(url, version)
        assert.isNotEmpty(tools)
        for (const { inputSchema, name, outputSchema = { type: "object" } } of tools) {
          assert.match(name, /^[A-Za-z0-9_-]{1,45}$/)
          for (const schema of [inputSchema, outputSchema]) {
            assert.strictEqual(schema.type, "object", name)
            for (const key of alternatives) assert.notProperty(schema, key, name)
            const text = JSON.stringify(schema)
            for (const key of keywords) assert.notInclude(text, `"${key}":`, name)
          }
        }
      }
    })
  )

  const list = (url: string, version: string) =>
    Effect.gen(function* () {
      if (version === "2026-07-28") {
        return (yield* RawHttp.post(url, { body: modern(1, "tools/list") })).body.result.tools
      }
      const opened = yield* RawHttp.post(url, { body: initialize(0, version) })
      const headers = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" }
      return (yield* RawHttp.post(url, { body: request(1, "tools/list"), headers })).body.result.tools
    })
})
