/** What commands say of a folder that is not what it should be, and of names that a terminal would obey. */
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as Command from "@effect/cli/Command"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { check } from "../src/commands/check.js"
import { list } from "../src/commands/list.js"
import { press } from "../src/commands/press.js"

const commands = Command.make("pushbutton").pipe(Command.withSubcommands([check, list, press]))

const cli = Command.run(commands, { name: "pushbutton", version: "0.0.0" })

/** What a command printed, and why it failed. */
const run = (...words: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const printed: Array<string> = []
    const print = (...texts: ReadonlyArray<unknown>) =>
      Effect.sync(() => void printed.push(texts.map(String).join(" ")))
    const outcome = yield* Console.consoleWith((console) =>
      Effect.withConsole(cli(["node", "pushbutton", ...words]), { ...console, log: print, error: print })
    ).pipe(Effect.provide(NodeContext.layer), Effect.either)
    const failure = Either.isLeft(outcome) ? outcome.left : undefined
    const message = failure !== undefined && "message" in failure ? failure.message : undefined
    return { printed, message }
  })

const folder = Effect.acquireRelease(
  Effect.sync(() => Fs.realpathSync(Fs.mkdtempSync(Path.join(Os.tmpdir(), "pushbutton-")))),
  (path) => Effect.sync(() => Fs.rmSync(path, { recursive: true, force: true }))
)

const write = (path: string, text: string) =>
  Effect.sync(() => {
    Fs.mkdirSync(Path.dirname(path), { recursive: true })
    Fs.writeFileSync(path, text)
  })

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
        printed: [
          "error: .: the folder of buttons does not exist",
          `${none}: 0 usable, 1 errors, 0 warnings`
        ],
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
