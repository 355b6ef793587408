import { assert, describe, it } from "@effect/vitest"
import { RequestContext } from "@pushbutton/server/RequestContext"
import * as Tool from "@pushbutton/server/Tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { send } from "./support/client.js"
import * as LegacyClient from "./support/legacyClient.js"
import { json, modern } from "./support/messages.js"
import { start } from "./support/server.js"
import * as Sse from "./support/sse.js"

const whoami = Tool.make("whoami", {
  input: Schema.Struct({}),
  handler: () => Effect.map(RequestContext, ({ principal }) => principal ?? "nobody")
})

const serve = start([whoami], { principalOf: ({ header }) => header("x-user") })

const text = (body: string) => JSON.parse(body).result.content[0].text

describe("principalOf", () => {
  it.scopedLive("tells handlers who calls, in both eras", () =>
    Effect.gen(function* () {
      const { url } = yield* serve
      const ann = { "x-user": "ann" }
      const now = yield* send(modern(url, 1, "tools/call", { name: "whoami" }, ann))
      assert.strictEqual(text(now.body), "ann")
      const nobody = yield* send(modern(url, 1, "tools/call", { name: "whoami" }))
      assert.strictEqual(text(nobody.body), "nobody")
      const client = yield* LegacyClient.open(url, "2025-06-18", ann)
      assert.strictEqual(text((yield* send(client.post(LegacyClient.callTool(1, "whoami")))).body), "ann")
    })
  )

  // verifies: SH-46, TRAP-20, SH-43, P-55
  it.scopedLive("keeps sessions from everybody else, as if they were not there", () =>
    Effect.gen(function* () {
      const { url } = yield* serve
      const ann = yield* LegacyClient.open(url, "2025-11-25", { "x-user": "ann" })
      const message = { id: 1, method: "tools/list" }
      for (const other of [{ "x-user": "bob" }, { "x-user": "" }]) {
        const stolen = { "mcp-session-id": ann.sessionId, ...other }
        for (const sent of [
          ann.post(message, other),
          { ...ann.get(), headers: { ...ann.get().headers, ...stolen } },
          { ...ann.get("s0-0"), headers: { ...ann.get("s0-0").headers, ...stolen } },
          { ...ann.remove, headers: stolen }
        ]) {
          assert.strictEqual((yield* send(sent)).status, 404)
        }
      }
      assert.strictEqual((yield* send(ann.post(message))).status, 200)
    })
  )

  it.scopedLive("that throws ends the exchange and nothing else, whatever was sent to", () =>
    Effect.gen(function* () {
      const { port, url } = yield* start([whoami], {
        sse: {},
        principalOf: ({ header }) => {
          const user = header("x-user")
          if (user === "trouble") throw new Error("the header cannot be read")
          return user
        }
      })
      const trouble = { "x-user": "trouble" }
      const sse = `http://127.0.0.1:${port}/sse`
      const client = yield* Sse.connectLegacy(sse)
      const { sessionId } = yield* LegacyClient.open(url)
      const session = { ...trouble, "mcp-session-id": sessionId, accept: "text/event-stream" }
      for (const sent of [
        modern(url, 1, "tools/call", { name: "whoami" }, trouble),
        { url, method: "GET", headers: session },
        { url, method: "DELETE", headers: session },
        { url: sse, method: "GET", headers: trouble },
        {
          url: client.messages,
          headers: { ...json, ...trouble },
          body: JSON.stringify(Sse.request(1, "ping"))
        }
      ]) {
        const refused = yield* send(sent)
        assert.deepStrictEqual([refused.status, JSON.parse(refused.body).error.code], [500, -32603])
      }
      yield* client.tell(Sse.request(2, "ping"))
      assert.strictEqual((yield* client.next).id, 2)
    })
  )
})
