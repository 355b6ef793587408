/** What `pushbutton press` takes, and what it says of a press to programs. */
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder, run, write } from "./support/running.js"

/** A data folder with one button, which starts nothing. */
const dataFolder = Effect.tap(folder, (root) =>
  Effect.zipRight(
    write(
      Path.join(root, "buttons", "ask", "button.json"),
      JSON.stringify({ schema_version: 2, name: "ask", runtime: "prompt" })
    ),
    write(Path.join(root, "buttons", "ask", "AGENTS.md"), "Breathe.")
  )
)

const documentOf = ({ printed }: { readonly printed: ReadonlyArray<string> }) =>
  JSON.parse(printed.join("\n"))

describe("press --json", () => {
  it.scopedLive("says that a press could not be recorded", () =>
    Effect.gen(function* () {
      const root = yield* dataFolder
      const press = run("press", "ask", "--json", "--dir", root)
      assert.notProperty(documentOf(yield* press).data, "recorded")
      const other = yield* dataFolder
      yield* write(Path.join(other, "buttons", "ask", "pressed"), "")
      assert.deepInclude(documentOf(yield* run("press", "ask", "--json", "--dir", other)).data, {
        stdout: "Breathe.",
        recorded: false
      })
    })
  )
})

describe("press --idempotency-key", () => {
  it.scopedLive("takes what buttons_press takes", () =>
    Effect.gen(function* () {
      const root = yield* dataFolder
      const press = (key: string) => run("press", "ask", "--json", "--dir", root, "--idempotency-key", key)
      const longest = "k".repeat(256)
      assert.notProperty(documentOf(yield* press(longest)).data, "replayed")
      assert.isTrue(documentOf(yield* press(longest)).data.replayed)
      for (const key of ["", "k".repeat(257)]) {
        const { printed } = yield* press(key)
        assert.include(printed.join("\n"), "--idempotency-key takes 1 to 256 characters")
      }
    })
  )
})
