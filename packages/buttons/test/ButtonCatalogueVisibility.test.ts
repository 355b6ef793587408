import { assert, describe, it } from "@effect/vitest"
import { ButtonCatalogue, getVisible } from "@pushbutton/buttons/ButtonCatalogue"
import { ButtonBroken, ButtonNotFound } from "@pushbutton/buttons/ButtonError"
import * as Effect from "effect/Effect"

/** A catalogue with one button, broken in one way or another. */
const broken = (mcpEnabled: boolean | undefined) =>
  ButtonCatalogue.of({
    list: Effect.succeed({ buttons: [], problems: [], hidden: new Set() }),
    get: (name) =>
      name === "broken"
        ? new ButtonBroken({ slug: name, mcpEnabled, problems: [] })
        : new ButtonNotFound({ name }),
    note: () => Effect.succeed(""),
    follow: () => Effect.void
  })

describe("getVisible", () => {
  it.effect.each([
    [true, "mcp", "ButtonBroken"],
    [undefined, "mcp", "ButtonBroken"],
    [false, "mcp", "ButtonNotFound"],
    [false, "cli", "ButtonBroken"]
  ] as const)(
    "answers a button that is broken and says mcp_enabled %j to %s with %s",
    ([says, caller, tag]) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(getVisible(broken(says), "broken", caller))
        assert.strictEqual(error._tag, tag)
        const absent = yield* Effect.flip(getVisible(broken(says), "absent", caller))
        assert.strictEqual(absent._tag, "ButtonNotFound")
      })
  )
})
