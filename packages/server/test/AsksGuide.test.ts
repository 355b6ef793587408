import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Server, Tools, visit } from "./guide/asks.js"
import { accept, answering, call, everything } from "./support/client.js"
import { connect } from "./support/legacyClient.js"

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")

const guide = Tools.pipe(
  Layer.provideMerge(Server),
  Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["STATE_SECRET", "s".repeat(32)]]))))
)

describe("docs/guide/asks.md", () => {
  it("shows code that compiles", () => {
    const code = read("guide/asks.ts")
    const blocks = [...read("../../../docs/guide/asks.md").matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
    assert.strictEqual(blocks.length, 6)
    const parts = blocks.flatMap(([, block = ""]) =>
      block.startsWith("import ") ? block.split("\n") : [block]
    )
    for (const part of parts) assert.include(code, part)
  })

  it.effect("asks with a form, after a step", () =>
    Effect.gen(function* () {
      const options = { args: { build: "7" }, capabilities: everything }
      const asked = yield* call("deploy", options)
      assert.deepInclude(JSON.parse(JSON.stringify(asked.inputRequests["where"]?.params)), {
        requestedSchema: {
          type: "object",
          properties: {
            env: {
              type: "string",
              oneOf: [
                { const: "staging", title: "Staging" },
                { const: "prod", title: "Production" }
              ]
            },
            replicas: {
              type: "integer",
              title: "Replicas",
              description: "a number between 1 and 9",
              minimum: 1,
              maximum: 9,
              default: 2
            }
          },
          required: ["env", "replicas"]
        }
      })
      const content = { env: "prod", replicas: 3 }
      const done = yield* call("deploy", answering(asked, { where: accept(content) }, options))
      assert.strictEqual(done.text, "upload-of-7 runs 3 times on prod")
    }).pipe(Effect.provide(guide))
  )

  it.effect("asks several at once", () =>
    Effect.gen(function* () {
      const asked = yield* call("connect")
      assert.deepStrictEqual(Object.keys(asked.inputRequests), ["page", "team"])
      const done = yield* call("connect", answering(asked, { page: accept(), team: accept({ team: "x" }) }))
      assert.strictEqual(done.text, "x")
    }).pipe(Effect.provide(guide))
  )

  it.effect("does without, where nobody can be asked", () =>
    Effect.gen(function* () {
      const done = yield* call("clean", { capabilities: {} })
      assert.strictEqual(done.text, "Nothing deleted: confirm in the dashboard.")
      const asked = yield* call("clean")
      const refused = yield* call("clean", answering(asked, { sure: { action: "decline" } }))
      assert.strictEqual(refused.text, "The user declined.")
    }).pipe(Effect.provide(guide))
  )

  it.scoped("waits for a visit to a page, or has the client call again", () =>
    Effect.gen(function* () {
      const bare = yield* connect("2025-11-25", { stream: "none" })
      assert.strictEqual((yield* bare.call("link"))?.error?.code, -32042)
      const client = yield* connect("2025-11-25")
      const { reply } = yield* client.start("tools/call", { name: "link" })
      yield* client.askedTimes(1)
      client.respond(client.asked()[0]?.id ?? "", { result: accept() })
      yield* visit
      assert.strictEqual((yield* reply)?.text, "Linked.")
      assert.strictEqual(client.sent.at(-1).method, "notifications/elicitation/complete")
      assert.strictEqual((yield* bare.call("link"))?.text, "Linked already.")
    }).pipe(Effect.provide(guide))
  )
})
