import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Server, Tools } from "./guide/asks.js"
import { accept, answering, call, everything } from "./support/client.js"

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")

const guide = Tools.pipe(
  Layer.provideMerge(Server),
  Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["STATE_SECRET", "s".repeat(32)]]))))
)

describe("docs/guide/asks.md", () => {
  it("shows code that compiles", () => {
    const code = read("guide/asks.ts")
    const blocks = [...read("../../../docs/guide/asks.md").matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
    assert.strictEqual(blocks.length, 4)
    for (const [, block = ""] of blocks) assert.include(code, block)
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
})
