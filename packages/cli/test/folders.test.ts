/** What commands say of a folder that is not what it should be, and of names that a terminal would obey. */
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder, run, write } from "./support/running.js"

describe("a folder that cannot be used", () => {
  it.scopedLive.each([["check"], ["list"], ["press", "x"]])("fails %s with one line for a file", (words) =>
    Effect.gen(function* () {
      const file = Path.join(yield* folder, "file")
      yield* write(file, "")
      assert.deepStrictEqual(yield* run(...words, "--dir", file), {
        printed: [],
        message: `${file} is not a folder`
      })
      const { printed } = yield* run(...words, "--json", "--dir", Path.join(file, "x"))
      assert.deepStrictEqual(
        printed.map((text) => JSON.parse(text)),
        [{ ok: false, error: { code: "STORAGE_ERROR", message: `${file}/x is inside of a file` } }]
      )
    })
  )

  it.scopedLive("fails the check of a folder that was named and does not exist", () =>
    Effect.gen(function* () {
      const none = Path.join(yield* folder, "none")
      assert.deepStrictEqual(yield* run("check", "--dir", none), {
        printed: ["error: .: the folder of buttons does not exist", `${none}: 0 usable, 1 error, 0 warnings`],
        message: ""
      })
      assert.deepStrictEqual(yield* run("list", "--dir", none), {
        printed: [],
        message: `${none}: the folder of buttons does not exist`
      })
      assert.strictEqual(
        (yield* run("press", "x", "--dir", none)).message,
        "The folder of buttons (.) does not exist"
      )
    })
  )
})

describe("what comes from a disk", () => {
  it.scopedLive("gives a terminal nothing to obey", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const button = {
        name: "odd",
        description: "first\nsecond \u001b[31mred\u009b",
        args: [{ name: "a\u001b[2J", type: "string" }]
      }
      yield* write(Path.join(root, "odd/button.json"), JSON.stringify(button))
      yield* write(Path.join(root, "odd/main.sh"), "")
      yield* write(Path.join(root, "x\u001b]0;title\u0007\nerror: y/button.json"), "{}")
      for (const words of [["list"], ["check"], ["list", "--json"], ["check", "--json"]]) {
        const { printed } = yield* run(...words, "--dir", root)
        for (const text of printed) {
          assert.notMatch(words.length === 1 ? text : text.replaceAll("\n", ""), /\p{Cc}/u)
        }
      }
      const { printed } = yield* run("list", "--dir", root)
      assert.strictEqual(printed[0], "  odd  [a\\u001b[2J=]  first\\nsecond \\u001b[31mred\\u009b")
      const json = JSON.parse((yield* run("list", "--json", "--dir", root)).printed[0] ?? "")
      assert.strictEqual(json.data.buttons[0].description, button.description)
    })
  )
})
