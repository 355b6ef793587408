import { assert, describe, layer } from "@effect/vitest"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Progress from "@pushbutton/server/Progress"
import { RequestContext } from "@pushbutton/server/RequestContext"
import * as Tool from "@pushbutton/server/Tool"
import * as ToolResult from "@pushbutton/server/ToolResult"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import { headersOf, modern, send, session } from "./support/conversation.js"

class Weather extends Context.Tag("test/Weather")<Weather, { readonly in: (city: string) => string }>() {}

const Forecast = Tool.make("forecast", {
  title: "Forecast",
  input: Schema.Struct({ city: Schema.String }),
  output: Schema.Struct({ sky: Schema.String }),
  handler: ({ city }) => Effect.map(Weather, (weather) => ({ sky: weather.in(city) }))
})

const Count = Tool.make("count", {
  input: Schema.Struct({ to: Schema.Int }),
  handler: ({ to }) =>
    Effect.as(
      Effect.forEach([1, 1, ...Array.from({ length: to }, (_, index) => index + 1)], (progress) =>
        Progress.report({ progress, total: to, message: `step ${progress}` })
      ),
      "counted"
    )
})

const WhoAmI = Tool.make("whoami", {
  input: Schema.Struct({}),
  handler: () =>
    Effect.map(RequestContext, ({ clientInfo, version }) => `${clientInfo?.name ?? "nobody"} ${version}`)
})

const Dies = Tool.make("dies", { input: Schema.Struct({}), handler: () => Effect.die("secret detail") })

const Unprintable = Tool.make("unprintable", {
  input: Schema.Struct({}),
  handler: () => {
    const loop: Record<string, unknown> = {}
    loop["loop"] = loop
    return Effect.succeed(ToolResult.content("", { meta: JSON.parse("{}"), structured: loop as never }))
  }
})

const Server = McpServer.tools(Forecast, Count, WhoAmI, Dies, Unprintable).pipe(
  Layer.provideMerge(
    McpServer.layer({ name: "test", version: "1.2.3", instructions: "Ask nicely.", pageSize: 3 })
  ),
  Layer.provide(Layer.succeed(Weather, { in: (city) => (city === "Ys" ? "drowned" : "clear") })),
  Layer.provide(Logger.remove(Logger.defaultLogger))
)

const serverInfo = { "io.modelcontextprotocol/serverInfo": { name: "test", version: "1.2.3" } }
const request = (method: string, params?: unknown, id: string | number = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params
})
const call = (name: string, args?: unknown) => request("tools/call", modern({ name, arguments: args }))

layer(Server)("Dispatcher", (it) => {
  describe("2026-07-28", () => {
    // verifies: DISC-03, DISC-04, META-10, CORE-35, DISC-01, DISC-05, DISC-06, TOOL-01, VER-04
    it.effect("discovers what is registered", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* send(request("server/discover", modern())), {
          status: 200,
          notifications: [],
          body: {
            jsonrpc: "2.0",
            id: 1,
            result: {
              resultType: "complete",
              supportedVersions: ["2026-07-28"],
              capabilities: { tools: { listChanged: true } },
              instructions: "Ask nicely.",
              ttlMs: 0,
              cacheScope: "private",
              _meta: serverInfo
            }
          }
        })
      })
    )

    // verifies: TOOL-06, CACHE-01, CACHE-09, TOOL-02
    it.effect("lists tools in the order of registration, page by page", () =>
      Effect.gen(function* () {
        const names: Array<string> = []
        let cursor: string | undefined
        do {
          const answer = yield* send(request("tools/list", modern(cursor === undefined ? {} : { cursor })))
          const { result } = JSON.parse(JSON.stringify(answer?.body))
          assert.strictEqual(result.resultType, "complete")
          assert.strictEqual(result.cacheScope, "private")
          names.push(...result.tools.map((tool: { name: string }) => tool.name))
          cursor = result.nextCursor
        } while (cursor !== undefined)
        assert.deepStrictEqual(names, ["forecast", "count", "whoami", "dies", "unprintable"])
      })
    )

    // verifies: CORE-10
    it.effect("calls a tool with its services and stamps the result", () =>
      Effect.gen(function* () {
        const answer = yield* send(call("forecast", { city: "Ys" }))
        assert.deepStrictEqual(answer?.body, {
          jsonrpc: "2.0",
          id: 1,
          result: {
            content: [{ type: "text", text: '{"sky":"drowned"}' }],
            structuredContent: { sky: "drowned" },
            resultType: "complete",
            _meta: serverInfo
          }
        })
      })
    )

    // verifies: PROG-02, PROG-04, P-19, P-20
    it.effect("sends rising progress before the response, with the client's token, only when it asked", () =>
      Effect.gen(function* () {
        const params = { name: "count", arguments: { to: 2 } }
        const asked = yield* send(request("tools/call", modern(params, { progressToken: 0 })))
        assert.deepStrictEqual(
          asked?.notifications,
          [1, 2].map((progress) => ({
            jsonrpc: "2.0",
            method: "notifications/progress",
            params: { progressToken: 0, progress, total: 2, message: `step ${progress}` }
          }))
        )
        const unasked = yield* send(request("tools/call", modern(params)))
        assert.deepStrictEqual(unasked?.notifications, [])
      })
    )

    it.effect.each([
      ["an unknown method", request("resources/list", modern()), 404, -32601],
      ["a removed method", request("ping", modern()), 404, -32601],
      ["initialize with metadata", request("initialize", modern()), 404, -32601],
      ["an unknown tool", call("nope"), 200, -32602],
      ["an inherited name as a tool", call("constructor"), 200, -32602],
      ["arguments that are no object", call("count", [1]), 200, -32602],
      ["arguments that are null", call("count", null), 200, -32602],
      ["a cursor nobody minted", request("tools/list", modern({ cursor: "x" })), 200, -32602],
      ["an empty cursor", request("tools/list", modern({ cursor: "" })), 200, -32602],
      ["a cursor that is no string", request("tools/list", modern({ cursor: 1 })), 200, -32602],
      ["no metadata", request("tools/list", {}), 400, -32602],
      ["no params", request("tools/list"), 400, -32602],
      ["a handler that dies", call("dies"), 200, -32603],
      ["a result that JSON cannot hold", call("unprintable"), 200, -32603]
    ] as const)("answers %s with its error", ([, message, status, code]) =>
      Effect.gen(function* () {
        const answer = yield* send(message)
        const body = JSON.parse(JSON.stringify(answer?.body))
        assert.deepStrictEqual([answer?.status, body.error.code, body.id], [status, code, 1])
        assert.notInclude(body.error.message, "secret detail")
      })
    )

    // verifies: VER-02, HTTP-28
    it.effect("refuses an unsupported version with the versions it serves", () =>
      Effect.gen(function* () {
        const params = modern({}, { "io.modelcontextprotocol/protocolVersion": "2031-01-01" })
        const answer = yield* send(request("tools/list", params))
        const body = JSON.parse(JSON.stringify(answer?.body))
        assert.strictEqual(answer?.status, 400)
        assert.strictEqual(body.error.code, -32022)
        assert.deepStrictEqual(body.error.data, { supported: ["2026-07-28"], requested: "2031-01-01" })
      })
    )

    it.effect("makes argument problems a result that the model can read", () =>
      Effect.gen(function* () {
        const answer = yield* send(call("count", { to: "two" }))
        const { result } = JSON.parse(JSON.stringify(answer?.body))
        assert.isTrue(result.isError)
        assert.include(result.content[0].text, "to:")
      })
    )
  })

  describe("handshake revisions", () => {
    const initialize = (protocolVersion: unknown) =>
      request("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "old", version: "1" } })

    // verifies: P-50, LC-02, LC-03, LC-04, TRAP-15
    it.effect.each([
      ["2025-11-25", "2025-11-25"],
      ["2025-06-18", "2025-06-18"],
      ["2024-11-05", "2024-11-05"],
      ["2026-07-28", "2025-11-25"],
      ["1999-01-01", "2025-11-25"]
    ] as const)("answers initialize for %s", ([requested, offered]) =>
      Effect.gen(function* () {
        const answer = yield* send(initialize(requested))
        assert.deepStrictEqual(answer?.body, {
          jsonrpc: "2.0",
          id: 1,
          result: {
            protocolVersion: offered,
            capabilities: { tools: { listChanged: true } },
            serverInfo: { name: "test", version: "1.2.3" },
            instructions: "Ask nicely."
          }
        })
      })
    )

    // verifies: P-49, LC-09, LC-23
    it.effect("answers ping with an empty result before and after the handshake", () =>
      Effect.gen(function* () {
        const empty = { jsonrpc: "2.0", id: 1, result: {} }
        assert.deepStrictEqual((yield* send(request("ping")))?.body, empty)
        assert.deepStrictEqual(
          (yield* send(request("ping"), { session: session("2024-11-05") }))?.body,
          empty
        )
      })
    )

    // verifies: P-63, DL-21, DL-22
    it.effect("keeps modern members out of legacy results", () =>
      Effect.gen(function* () {
        const facts = { session: session("2024-11-05") }
        const list = yield* send(request("tools/list"), facts)
        const listed = JSON.parse(JSON.stringify(list?.body)).result
        assert.deepStrictEqual(Object.keys(listed).sort(), ["nextCursor", "tools"])
        assert.deepStrictEqual(Object.keys(listed.tools[0]).sort(), ["inputSchema", "name"])
        const called = yield* send(
          request("tools/call", { name: "forecast", arguments: { city: "Ys" } }),
          facts
        )
        assert.deepStrictEqual(JSON.parse(JSON.stringify(called?.body)).result, {
          content: [{ type: "text", text: '{"sky":"drowned"}' }]
        })
      })
    )

    // verifies: CORE-29, P-58, LC-31, DL-01, DL-04, DL-25
    it.effect("serves a request that carries metadata as modern inside a session", () =>
      Effect.gen(function* () {
        const facts = { session: session("2025-11-25") }
        const answers = [
          yield* send(call("whoami"), facts),
          yield* send(request("tools/call", { name: "whoami" }), facts)
        ]
        assert.deepStrictEqual(
          answers.map((answer) => JSON.parse(JSON.stringify(answer?.body)).result.content[0].text),
          ["nobody 2026-07-28", "test 2025-11-25"]
        )
      })
    )

    // verifies: P-23, SH-09, LC-12, DL-20, DL-40, TRAP-39, DC-04
    it.effect.each([
      ["an unknown method", request("nope"), 200, -32601],
      ["server/discover without metadata", request("server/discover"), 200, -32601],
      ["params that are no object", request("tools/list", [1]), 200, -32602],
      ["an unknown tool", request("tools/call", { name: "nope" }), 200, -32602],
      ["a second initialize", initialize("2025-11-25"), 400, -32600]
    ] as const)("answers %s in a session with its error", ([, message, status, code]) =>
      Effect.gen(function* () {
        const answer = yield* send(message, { session: session("2025-11-25") })
        const body = JSON.parse(JSON.stringify(answer?.body))
        assert.deepStrictEqual([answer?.status, body.error.code, body.id], [status, code, 1])
      })
    )

    it.effect(
      "remembers a client without its icons, and refuses one that asks to be remembered at length",
      () =>
        Effect.gen(function* () {
          const padded = (key: string, length: number) => ({
            protocolVersion: "2025-11-25",
            capabilities: {
              experimental: { pad: { text: "x".repeat(key === "capabilities" ? length : 0) } }
            },
            clientInfo: {
              name: "old",
              version: "1",
              icons: [{ src: `data:image/png;base64,${"A".repeat(key === "icons" ? length : 0)}` }]
            }
          })
          const icons = yield* send(request("initialize", padded("icons", 1_000_000)))
          assert.property(icons?.body, "result")
          const long = yield* send(request("initialize", padded("capabilities", 100_000)))
          assert.strictEqual(JSON.parse(JSON.stringify(long?.body)).error.code, -32602)
        })
    )

    // verifies: P-50, LC-01, LC-05
    it.effect("refuses a handshake that is not one", () =>
      Effect.gen(function* () {
        for (const params of [undefined, [], { protocolVersion: 1 }]) {
          const body = JSON.parse(JSON.stringify((yield* send(request("initialize", params)))?.body))
          assert.strictEqual(body.error.code, -32602)
        }
      })
    )
  })

  describe("what is no request", () => {
    // verifies: CORE-06, CORE-12, CORE-13, LC-30
    it.effect.each([
      ["not json", "not json", -32700, undefined],
      ["a batch", [request("ping")], -32600, undefined],
      ["an empty batch", [], -32600, undefined],
      ["a scalar", "7", -32600, undefined],
      ["a null id", { jsonrpc: "2.0", id: null, method: "ping" }, -32600, undefined],
      ["a fractional id", { jsonrpc: "2.0", id: 1.5, method: "ping" }, -32600, undefined],
      ["another jsonrpc version", { jsonrpc: "1.0", id: 9, method: "ping" }, -32600, 9],
      ["a method that is no string", { jsonrpc: "2.0", id: "a", method: 1 }, -32600, "a"]
    ] as const)("answers %s, with an id only when one is readable", ([, message, code, id]) =>
      Effect.gen(function* () {
        const answer = yield* send(message)
        const body = JSON.parse(JSON.stringify(answer?.body))
        assert.deepStrictEqual([answer?.status, body.error.code, body.id], [400, code, id])
        assert.strictEqual("id" in body, id !== undefined)
      })
    )

    // verifies: CORE-27, LC-28
    it.effect("never answers a notification", () =>
      Effect.gen(function* () {
        for (const method of [
          "notifications/initialized",
          "notifications/zzz",
          "tools/list",
          "notifications/cancelled"
        ]) {
          assert.isUndefined(yield* send({ jsonrpc: "2.0", method }))
        }
      })
    )

    it.effect("never answers a response on stdio, and refuses one over modern HTTP", () =>
      Effect.gen(function* () {
        const response = { jsonrpc: "2.0", id: 1, result: {} }
        assert.isUndefined(yield* send(response))
        const refused = yield* send(response, { header: headersOf({}) })
        assert.strictEqual(refused?.status, 400)
      })
    )
  })
})
