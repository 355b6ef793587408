import { assert, describe, it } from "@effect/vitest"
import * as Tool from "@pushbutton/server/Tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { connect, send } from "./support/client.js"
import { json, modern, modernMeta } from "./support/messages.js"
import { start } from "./support/server.js"

const route = Tool.make("route", {
  input: Schema.Struct({
    text: Schema.optionalWith(Schema.NullOr(Schema.String), { exact: true }),
    city: Schema.optionalWith(Schema.String.pipe(Tool.header("City")), { exact: true }),
    count: Schema.optionalWith(Schema.Int.pipe(Tool.header("Count")), { exact: true }),
    fast: Schema.optionalWith(Schema.Boolean.pipe(Tool.header("Fast")), { exact: true })
  }),
  handler: (args) => Effect.succeed(JSON.stringify(args))
})

const call = (url: string, args: Record<string, unknown>, headers: Record<string, string>) =>
  modern(url, 1, "tools/call", { name: "route", arguments: args }, headers)

describe("Mcp-Param headers over HTTP", () => {
  const accepted: ReadonlyArray<readonly [string, Record<string, string>, Record<string, unknown>]> = [
    ["encoded text", { "mcp-param-city": "=?base64?SGVsbG8=?=" }, { city: "Hello" }],
    ["text that looks like Base64", { "mcp-param-city": "SGVsbG8=" }, { city: "SGVsbG8=" }],
    ["text with one marker", { "mcp-param-city": "=?base64?SGVsbG8=" }, { city: "=?base64?SGVsbG8=" }],
    ["text beyond ASCII, encoded", { "MCP-PARAM-CITY": "=?base64?WsO8cmljaA==?=" }, { city: "Zürich" }],
    ["text in blanks", { "mcp-param-city": "  Ys  " }, { city: "Ys" }],
    ["an integer by its value", { "mcp-param-count": "42.0" }, { count: 42 }],
    ["a flag", { "mcp-param-fast": "true" }, { fast: true }],
    ["no header for no argument", {}, {}],
    ["headers nobody declares", { "mcp-param-other": "x" }, {}]
  ]
  for (const [what, headers, args] of accepted) {
    // verifies: HDR-10, HDR-13, HDR-22
    it.scopedLive(`accept ${what}`, () =>
      Effect.gen(function* () {
        const { url } = yield* start([route])
        const answer = yield* send(call(url, args, headers))
        assert.strictEqual(answer.status, 200)
        assert.deepStrictEqual(JSON.parse(JSON.parse(answer.body).result.content[0].text), args)
      })
    )
  }

  const refused: ReadonlyArray<readonly [string, Record<string, string>, Record<string, unknown>]> = [
    ["bad padding", { "mcp-param-city": "=?base64?SGVsbG8?=" }, { city: "Hello" }],
    ["a bad alphabet", { "mcp-param-city": "=?base64?SGVs!!!bG8=?=" }, { city: "Hello" }],
    ["a missing header", {}, { city: "test-value" }],
    ["a missing argument", { "mcp-param-city": "Ys" }, {}],
    ["another value", { "mcp-param-city": "Is" }, { city: "Ys" }],
    ["another number", { "mcp-param-count": "42.5" }, { count: 42 }],
    ["a number in another notation", { "mcp-param-count": "4.2e1" }, { count: 42 }],
    ["another spelling of a flag", { "mcp-param-fast": "TRUE" }, { fast: true }],
    ["raw text beyond ASCII", { "mcp-param-city": "Z\u00fcrich" }, { city: "Z\u00fcrich" }]
  ]
  for (const [what, headers, args] of refused) {
    // verifies: HDR-08, HDR-18, HDR-20, HDR-21
    it.scopedLive(`refuse ${what} with 400`, () =>
      Effect.gen(function* () {
        const { url } = yield* start([route])
        const answer = yield* send(call(url, args, headers))
        assert.strictEqual(answer.status, 400)
        assert.deepInclude(JSON.parse(answer.body), { id: 1 })
        assert.strictEqual(JSON.parse(answer.body).error.code, -32020)
      })
    )
  }

  it.scopedLive("refuse a header that is sent twice", () =>
    Effect.gen(function* () {
      const { port } = yield* start([route])
      const params = { name: "route", arguments: { city: "Ys" }, _meta: modernMeta() }
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
      const connection = yield* connect(port)
      connection.write(
        [
          "POST /mcp HTTP/1.1",
          `host: 127.0.0.1:${port}`,
          ...Object.entries(json).map(([name, value]) => `${name}: ${value}`),
          "mcp-protocol-version: 2026-07-28",
          "mcp-method: tools/call",
          "mcp-name: route",
          "mcp-param-city: Ys",
          "mcp-param-city: Ys",
          `content-length: ${body.length}`,
          "",
          body
        ].join("\r\n")
      )
      const answer = yield* connection.until("}}")
      assert.match(answer, /^HTTP\/1\.1 400 /)
      assert.include(answer, "-32020")
    })
  )
})
