import { assert, describe, it } from "@effect/vitest"
import * as Prompt from "@pushbutton/server/Prompt"
import * as PromptRegistry from "@pushbutton/server/PromptRegistry"
import * as Effect from "effect/Effect"

const handler = () => Effect.succeed("")

const named = (name: string) => Prompt.make(name, { handler })

const checkRefused = (prompts: ReadonlyArray<Prompt.Prompt<never>>, message: string) =>
  Effect.gen(function* () {
    const registry = PromptRegistry.make()
    const failure = yield* Effect.flip(registry.add(prompts))
    assert.strictEqual(failure.message, message)
    assert.deepStrictEqual(registry.prompts(), [])
  })

describe("PromptRegistry", () => {
  it.scoped("keeps prompts in the order of registration", () =>
    Effect.gen(function* () {
      const registry = PromptRegistry.make()
      yield* registry.add([named("b"), named("c")])
      yield* registry.add([named("a")])
      assert.deepStrictEqual(
        registry.prompts().map(({ definition }) => definition.name),
        ["b", "c", "a"]
      )
      assert.strictEqual(registry.find("a")?.definition.name, "a")
      assert.isUndefined(registry.find("toString"))
    })
  )

  it.effect("tells its listeners of each change, and lets prompts go with their scope", () =>
    Effect.gen(function* () {
      const registry = PromptRegistry.make()
      let changes = 0
      registry.onChange(() => {
        changes += 1
      })
      yield* Effect.scoped(registry.add([named("a")]))
      assert.strictEqual(changes, 2)
      assert.isUndefined(registry.find("a"))
    })
  )

  it.scoped("refuses what it cannot serve and says which property is wrong", () =>
    Effect.gen(function* () {
      const illegal = "has to be 1 to 128 letters, digits, underscores, hyphens or dots"
      for (const name of ["", "with blank", "a/b", "é"]) {
        yield* checkRefused([named(name)], `Prompt ${JSON.stringify(name)}: name ${illegal}`)
      }
      yield* checkRefused([named("b"), named("a"), named("a")], 'Prompt "a": name is taken by another prompt')
      yield* checkRefused(
        [Prompt.make("a", { arguments: [{ name: "x" }, { name: "x" }], handler })],
        'Prompt "a": arguments.x is there twice'
      )
      yield* checkRefused(
        [Prompt.make("a", { arguments: [{ name: "" }], handler })],
        'Prompt "a": arguments have one without a name'
      )
      yield* checkRefused(
        [Prompt.make("a", { icons: [{ src: "file:///i.png" }], handler })],
        'Prompt "a": icons have to be https: or data: URIs'
      )
      const stray: object = { y: () => Effect.succeed([]) }
      yield* checkRefused(
        [Prompt.make("a", { arguments: [{ name: "x" }], complete: stray, handler })],
        'Prompt "a": complete.y is not the name of an argument'
      )
    })
  )
})
