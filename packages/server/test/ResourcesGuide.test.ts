import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { server } from "./guide/resources.js"
import { errorOf, resultOf } from "./support/requests.js"

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")

layer(server)("docs/guide/resources.md", (it) => {
  it("shows code that compiles", () => {
    const code = read("guide/resources.ts")
    const blocks = [...read("../../../docs/guide/resources.md").matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
    assert.strictEqual(blocks.length, 6)
    for (const [, block = ""] of blocks) assert.include(code, block)
  })

  it.effect("reads a resource and a template", () =>
    Effect.gen(function* () {
      const readme = yield* resultOf("2026-07-28", "resources/read", { uri: "notes://readme" })
      assert.deepInclude(readme, { ttlMs: 60_000, cacheScope: "public" })
      const note = yield* resultOf("2025-11-25", "resources/read", { uri: "notes://a?part=2" })
      assert.strictEqual(note.contents[0].text, "first, part 2")
      const missing = yield* errorOf("2025-11-25", "resources/read", { uri: "notes://z" })
      assert.strictEqual(missing.code, -32002)
    })
  )

  it.effect("gets prompts, and completes their arguments", () =>
    Effect.gen(function* () {
      const review = yield* resultOf("2026-07-28", "prompts/get", {
        name: "review",
        arguments: { code: "x" }
      })
      assert.strictEqual(review.messages[0].content.text, "Review this code:")
      const trip = yield* resultOf("2026-07-28", "prompts/get", {
        name: "trip",
        arguments: { city: "Rome", days: "2" }
      })
      assert.strictEqual(trip.messages[0].content.text, "Plan 3 days in Rome.")
      const { completion } = yield* resultOf("2026-07-28", "completion/complete", {
        ref: { type: "ref/prompt", name: "review" },
        argument: { name: "language", value: "ru" },
        context: { arguments: { code: "fn" } }
      })
      assert.deepStrictEqual(completion.values, ["rust", "ruby"])
    })
  )
})
