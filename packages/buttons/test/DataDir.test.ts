import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as DataDir from "@pushbutton/buttons/DataDir"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Temporary from "./support/temporary.js"

const facts = (
  entries: Readonly<Record<string, DataDir.Entry>>,
  overrides: Partial<DataDir.Facts> = {}
): DataDir.Facts => ({
  cwd: "/home/ada/work/app",
  buttonsHome: undefined,
  home: "/home/ada",
  look: (path) => entries[path] ?? "none",
  ...overrides
})

const decide = (explicit: string | undefined, given: DataDir.Facts) =>
  Either.getOrThrow(DataDir.decide(explicit, given))

describe("DataDir.decide", () => {
  it.each<[string, string, Readonly<Record<string, DataDir.Entry>>, string, string]>([
    ["a data directory", "/d", { "/d/buttons": "folder" }, "/d", "/d/buttons"],
    ["a folder of button folders", "/d", { "/d/deploy": "folder" }, "/d", "/d"],
    [
      "a folder of button folders, one named buttons",
      "/d",
      { "/d/buttons": "folder", "/d/buttons/button.json": "file" },
      "/d",
      "/d"
    ],
    [
      "a relative path",
      "x",
      { "/home/ada/work/app/x/buttons": "folder" },
      "/home/ada/work/app/x",
      "/home/ada/work/app/x/buttons"
    ],
    [
      "another user's folder, since it was asked for",
      "/d",
      { "/d/buttons": "foreign folder" },
      "/d",
      "/d/buttons"
    ]
  ])("accepts as explicit %s", (_, explicit, entries, root, buttons) => {
    const everything = facts(entries, { buttonsHome: "/other" })
    assert.deepStrictEqual(decide(explicit, everything), {
      root,
      buttons,
      source: "explicit",
      passedOver: []
    })
  })

  it("refuses an explicit folder that is a button, and names the one to use", () => {
    const button = DataDir.decide("/d/buttons/deploy", facts({ "/d/buttons/deploy/button.json": "file" }))
    assert.strictEqual(
      Either.getOrThrow(Either.flip(button)).message,
      "/d/buttons/deploy is a button itself; name the folder that it is in, /d/buttons"
    )
  })

  it.each([
    ["/somewhere", "/somewhere"],
    ["rel", "/home/ada/work/app/rel"],
    ["~/x", "/home/ada/work/app/~/x"]
  ])("takes BUTTONS_HOME=%s as it is written, present or not", (buttonsHome, root) => {
    const found = decide(undefined, facts({ "/home/ada/work/.buttons": "folder" }, { buttonsHome }))
    assert.deepStrictEqual(found, { root, buttons: `${root}/buttons`, source: "environment", passedOver: [] })
  })

  it("takes the nearest ancestor's .buttons, the working directory's included", () => {
    const entries = { "/home/ada/work/.buttons": "folder", "/home/ada/.buttons": "folder" } as const
    assert.strictEqual(decide(undefined, facts(entries)).root, "/home/ada/work/.buttons")
    assert.strictEqual(
      decide(undefined, facts({ ...entries, "/home/ada/work/app/.buttons": "folder" }, { buttonsHome: "" }))
        .root,
      "/home/ada/work/app/.buttons"
    )
  })

  it("passes over a file, and a folder of another user, which it names", () => {
    const found = decide(
      undefined,
      facts({
        "/home/ada/work/app/.buttons": "file",
        "/home/ada/work/.buttons": "foreign folder",
        "/.buttons": "folder"
      })
    )
    assert.deepStrictEqual(found, {
      root: "/.buttons",
      buttons: "/.buttons/buttons",
      source: "ancestor",
      passedOver: ["/home/ada/work/.buttons"]
    })
  })

  it("falls back to the home directory", () => {
    assert.deepStrictEqual(decide(undefined, facts({}, { cwd: "/srv" })), {
      root: "/home/ada/.buttons",
      buttons: "/home/ada/.buttons/buttons",
      source: "home",
      passedOver: []
    })
  })
})

describe("DataDir.decide, without a working directory", () => {
  const lost = (overrides: Partial<DataDir.Facts> = {}) => facts({}, { cwd: undefined, ...overrides })

  it("needs none for an absolute path, nor for the home directory", () => {
    assert.strictEqual(decide("/d/../e", lost()).root, "/e")
    assert.strictEqual(decide(undefined, lost({ buttonsHome: "/h" })).root, "/h")
    assert.strictEqual(decide(undefined, lost()).root, "/home/ada/.buttons")
  })

  it.each<[string | undefined, Partial<DataDir.Facts>, string]>([
    ["x", {}, "x cannot be found: the working directory does not exist"],
    [undefined, { buttonsHome: "y" }, "y cannot be found: the working directory does not exist"],
    [undefined, { home: undefined }, "~/.buttons cannot be found: there is no home"]
  ])("refuses %j with %j in one sentence", (explicit, overrides, message) => {
    const refused = Either.flip(DataDir.decide(explicit, lost(overrides)))
    assert.strictEqual(Either.getOrThrow(refused).message, message)
  })
})

describe("DataDir.resolve", () => {
  it.scoped("refuses what is no folder, and a folder that cannot be reached", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Temporary.write(dataDir.root, { "a\u001b[31m\nfile": "", "data/buttons": "" })
      yield* Effect.promise(() => Fs.symlink("loop", Path.join(dataDir.root, "loop")))
      const refusal = (name: string) =>
        Effect.map(Effect.flip(DataDir.resolve(Path.join(dataDir.root, name))), (error) =>
          error.message.replace(dataDir.root, "…")
        )
      assert.deepStrictEqual(
        yield* Effect.forEach(["a\u001b[31m\nfile", "a\u001b[31m\nfile/x", "loop"], refusal),
        [
          "…/a\\u001b[31m\\nfile is not a folder",
          "…/a\\u001b[31m\\nfile/x is inside of a file",
          "…/loop cannot be read: ELOOP"
        ]
      )
    })
  )

  it.scoped("looks at the real disk", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      assert.deepStrictEqual(yield* DataDir.resolve(dataDir.root), dataDir)
      assert.strictEqual((yield* DataDir.resolve(dataDir.buttons)).buttons, dataDir.buttons)
      assert.strictEqual(
        (yield* DataDir.resolve(Path.join(dataDir.root, "none"))).root,
        Path.join(dataDir.root, "none")
      )
    })
  )
})
