import { readFileSync } from "node:fs"
import { assert, describe, layer } from "@effect/vitest"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Tools } from "./guide/tools.js"
import { modern, send } from "./support/conversation.js"

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")

const Server = Tools.pipe(Layer.provideMerge(McpServer.layer({ name: "guide", version: "1.0.0" })))

const call = (name: string, args: object) =>
  Effect.map(
    send({ jsonrpc: "2.0", id: 1, method: "tools/call", params: modern({ name, arguments: args }) }),
    (answer) => JSON.parse(JSON.stringify(answer?.body)).result
  )

layer(Server)("docs/guide/tools.md", (it) => {
  it("shows code that compiles", () => {
    const code = read("guide/tools.ts")
    const blocks = [...read("../../../docs/guide/tools.md").matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
    assert.isNotEmpty(blocks)
    for (const [, block = ""] of blocks) assert.include(code, block)
  })

  describe("its tools", () => {
    it.effect("answer values, and repeat them as text", () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* call("forecast", { city: "Rome", days: 2 }), {
          structuredContent: { sky: "clear" },
          content: [{ type: "text", text: '{"sky":"clear"}' }]
        })
        assert.deepInclude(yield* call("lookup", { code: "IT7" }), { structuredContent: "Station IT7" })
        assert.deepInclude(yield* call("lookup", { near: [1, 2] }), { structuredContent: null })
        assert.deepInclude(yield* call("build", { target: "app" }), {
          content: [{ type: "text", text: "Built app" }]
        })
      })
    )

    it.effect("say what is wrong", () =>
      Effect.gen(function* () {
        const textOf = (result: { readonly content: ReadonlyArray<{ readonly text: string }> }) =>
          result.content[0]?.text
        assert.strictEqual(textOf(yield* call("forecast", { city: "Ys" })), "No city is called Ys")
        assert.strictEqual(
          textOf(yield* call("forecast", { city: "Rome", days: 9 })),
          "Invalid arguments:\n- days: Expected a number between 1 and 7, actual 9"
        )
        assert.strictEqual(
          textOf(yield* call("lookup", { near: [1, 2, 3] })),
          "Invalid arguments:\n- near: Must NOT have more than 2 items, actual an array of 3"
        )
      })
    )
  })
})
