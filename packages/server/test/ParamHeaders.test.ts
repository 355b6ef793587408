import { assert, layer } from "@effect/vitest"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Tool from "@pushbutton/server/Tool"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { headersOf, modern, send, session } from "./support/conversation.js"

const Deploy = Tool.make("deploy", {
  input: Schema.Struct({
    region: Schema.String.pipe(Tool.header("Region")),
    replicas: Schema.optionalWith(Schema.Int.pipe(Tool.header("Replicas")), { exact: true })
  }),
  handler: ({ region }) => Effect.succeed(`deployed to ${region}`)
})

const Raw = Tool.fromJsonSchema("raw", {
  inputSchema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { region: { type: "string", "x-mcp-header": "Region", maxLength: 5 } },
    additionalProperties: false
  },
  outputSchema: { type: ["string", "null"] },
  handler: ({ region }) => Effect.succeed(region ?? null)
})

const Wrong = Tool.fromJsonSchema("wrong", {
  inputSchema: { type: "object" },
  outputSchema: { type: "string" },
  handler: () => Effect.succeed(0)
})

const Server = McpServer.tools(Deploy, Raw, Wrong).pipe(
  Layer.provideMerge(McpServer.layer({ name: "test", version: "1.0.0" }))
)

const call = (name: string, args: unknown) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: modern({ name, arguments: args })
})

const over = (name: string, headers: Record<string, string>) => ({
  header: headersOf({
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/call",
    "Mcp-Name": name,
    ...headers
  })
})

const bodyOf = (answer: { readonly body: unknown } | undefined) =>
  JSON.parse(JSON.stringify(answer?.body ?? null))

layer(Server)("arguments that headers mirror", (it) => {
  // verifies: HDR-10, HDR-20
  it.effect("run the tool when both say the same", () =>
    Effect.gen(function* () {
      const headers = { "Mcp-Param-Region": "eu", "MCP-PARAM-REPLICAS": "3.0", "Mcp-Param-Other": "x" }
      const answer = yield* send(call("deploy", { region: "eu", replicas: 3 }), over("deploy", headers))
      assert.strictEqual(answer?.status, 200)
      assert.strictEqual(bodyOf(answer).result.content[0].text, "deployed to eu")
    })
  )

  const refused: ReadonlyArray<readonly [string, Record<string, string>, unknown, string]> = [
    ["a header is missing", {}, { region: "eu" }, "Mcp-Param-Region header is missing"],
    [
      "a header differs",
      { "Mcp-Param-Region": "us" },
      { region: "eu" },
      "Mcp-Param-Region header does not match the body"
    ],
    [
      "an argument is missing",
      { "Mcp-Param-Region": "eu", "Mcp-Param-Replicas": "1" },
      { region: "eu" },
      "Mcp-Param-Replicas header is present, but the argument it mirrors is not"
    ],
    [
      "arguments are wrong as well",
      { "Mcp-Param-Region": "us" },
      { region: "eu", loud: true },
      "Mcp-Param-Region header does not match the body"
    ]
  ]
  for (const [what, headers, args, message] of refused) {
    // verifies: HDR-08, HDR-20, HDR-21, P-68
    it.effect(`are refused with 400 when ${what}`, () =>
      Effect.gen(function* () {
        const answer = yield* send(call("deploy", args), over("deploy", headers))
        assert.strictEqual(answer?.status, 400)
        assert.deepStrictEqual(bodyOf(answer).error, { code: -32020, message })
      })
    )
  }

  it.effect("are left to validation when the argument has another type", () =>
    Effect.gen(function* () {
      const answer = yield* send(call("deploy", { region: 7 }), over("deploy", { "Mcp-Param-Region": "7" }))
      assert.strictEqual(answer?.status, 200)
      assert.isTrue(bodyOf(answer).result.isError)
    })
  )

  it.effect("come after an unknown tool", () =>
    Effect.gen(function* () {
      const answer = yield* send(call("gone", { region: "eu" }), over("gone", { "Mcp-Param-Region": "us" }))
      assert.strictEqual(bodyOf(answer).error.code, -32602)
    })
  )

  it.effect("need no headers on stdio, nor in a session", () =>
    Effect.gen(function* () {
      assert.isUndefined(bodyOf(yield* send(call("deploy", { region: "eu" }))).error)
      const legacy = {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "deploy", arguments: { region: "eu" } }
      }
      const facts = { header: headersOf({ "Mcp-Param-Region": "us" }), session: session("2025-11-25") }
      assert.isUndefined(bodyOf(yield* send(legacy, facts)).error)
    })
  )
})

layer(Server)("a tool of JSON Schema", (it) => {
  const listed = (facts: Parameters<typeof send>[1], params: unknown) =>
    Effect.map(send({ jsonrpc: "2.0", id: 1, method: "tools/list", params }, facts), (answer) => {
      const { inputSchema, outputSchema } = bodyOf(answer).result.tools[1]
      return { inputSchema, outputSchema }
    })

  it.effect("is listed unaltered to modern clients, and as older ones can read it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual<unknown>(yield* listed({}, modern()), {
        inputSchema: Raw.definition.inputSchema,
        outputSchema: Raw.definition.outputSchema
      })
      assert.deepStrictEqual(yield* listed({ session: session("2025-06-18") }, {}), {
        inputSchema: {
          type: "object",
          properties: { region: { type: "string", maxLength: 5 } },
          additionalProperties: false
        },
        outputSchema: {
          type: "object",
          properties: { result: { type: ["string", "null"] } },
          required: ["result"]
        }
      })
    })
  )

  it.effect("answers any JSON value, null among them", () =>
    Effect.gen(function* () {
      const { result } = bodyOf(yield* send(call("raw", {})))
      assert.isNull(result.structuredContent)
      assert.deepStrictEqual(result.content, [{ type: "text", text: "null" }])
      const legacy = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "raw" } }
      const older = bodyOf(yield* send(legacy, { session: session("2025-11-25") }))
      assert.deepStrictEqual(older.result.structuredContent, { result: null })
    })
  )

  it.effect("says what is wrong with its arguments in a result, in both eras", () =>
    Effect.gen(function* () {
      const args = { region: "too long", other: 1 }
      const legacy = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "raw", arguments: args } }
      for (const answer of [
        yield* send(call("raw", args)),
        yield* send(legacy, { session: session("2024-11-05") })
      ]) {
        const { result } = bodyOf(answer)
        assert.isTrue(result.isError)
        assert.include(result.content[0].text, "region: Must NOT have more than 5 characters")
        assert.include(result.content[0].text, "other: is unexpected")
      }
    })
  )

  it.effect("never sends a value that breaks its output schema", () =>
    Effect.gen(function* () {
      const answer = yield* send(call("wrong", {}))
      assert.deepStrictEqual(bodyOf(answer).error, { code: -32603, message: "Internal error" })
    })
  )
})
