/** What every catalogue of buttons does. */
import { assert, describe, it } from "@effect/vitest"
import { ButtonCatalogue } from "@pushbutton/buttons/ButtonCatalogue"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

/** A catalogue of `alpha`, `beta` (a prompt whose note is "Say hello.") and `broken`, given in no order. */
export type Make = Effect.Effect<Layer.Layer<ButtonCatalogue>, never, Scope.Scope>

export const buttonCatalogue = (name: string, make: Make) => {
  const check = <A, E>(effect: Effect.Effect<A, E, ButtonCatalogue>) =>
    Effect.flatMap(make, (layer) => Effect.provide(effect, layer))

  describe(`ButtonCatalogue, ${name}`, () => {
    it.scoped("lists buttons by slug, and the problems of those that are broken", () =>
      check(
        Effect.gen(function* () {
          const { buttons, problems } = yield* (yield* ButtonCatalogue).list
          assert.deepStrictEqual(
            buttons.map((button) => button.slug),
            ["alpha", "beta"]
          )
          assert.deepStrictEqual(
            problems.map((problem) => [problem.slug, problem.severity]),
            [["broken", "error"]]
          )
        })
      )
    )

    it.scoped.each(["alpha", "Alpha", "ALPHA!", "../alpha", " alpha ", "alpha/"])(
      "finds alpha by the name %j",
      (name) =>
        check(
          Effect.gen(function* () {
            assert.strictEqual((yield* (yield* ButtonCatalogue).get(name)).slug, "alpha")
          })
        )
    )

    it.scoped.each(["", "..", ".", "/", "gamma", "alpha/beta", "../../etc", "日本語", "x".repeat(5_000)])(
      "has no button for the name %j",
      (name) =>
        check(
          Effect.gen(function* () {
            const error = yield* Effect.flip((yield* ButtonCatalogue).get(name))
            assert.deepInclude(error, { _tag: "ButtonNotFound", name })
          })
        )
    )

    it.scoped("says of a broken button what is wrong with it", () =>
      check(
        Effect.gen(function* () {
          const error = yield* Effect.flip((yield* ButtonCatalogue).get("Broken"))
          assert.strictEqual(error._tag, "ButtonBroken")
          assert.deepInclude(error, { slug: "broken", mcpEnabled: undefined })
        })
      )
    )

    it.scoped("reads a button's note", () =>
      check(
        Effect.gen(function* () {
          const catalogue = yield* ButtonCatalogue
          assert.strictEqual(yield* catalogue.note(yield* catalogue.get("beta")), "Say hello.")
        })
      )
    )

    it.scoped("says which note is missing", () =>
      check(
        Effect.gen(function* () {
          const catalogue = yield* ButtonCatalogue
          const error = yield* Effect.flip(catalogue.note(yield* catalogue.get("alpha")))
          assert.match(error.file, /alpha\/AGENTS\.md$/)
        })
      )
    )
  })
}
