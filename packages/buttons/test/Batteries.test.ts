import { execFileSync } from "node:child_process"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Batteries from "@pushbutton/buttons/Batteries"
import { toFailure } from "@pushbutton/buttons/ButtonError"
import type { DataDir } from "@pushbutton/buttons/DataDir"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { button } from "./support/definitions.js"
import * as Temporary from "./support/temporary.js"

const dir = (root: string, source: DataDir["source"]): DataDir => ({
  root,
  buttons: `${root}/buttons`,
  source,
  passedOver: []
})

const paths = (dataDir: DataDir, facts: Batteries.Facts) =>
  Batteries.files(dataDir, facts).map(({ path }) => path)

describe("Batteries.files", () => {
  const home = { buttonsHome: undefined, home: "/home/x" }

  it("is one file when the folder is the global one", () => {
    assert.deepStrictEqual(paths(dir("/home/x/.buttons", "home"), home), ["/home/x/.buttons/batteries.json"])
    assert.deepStrictEqual(paths(dir("/data", "environment"), { ...home, buttonsHome: "/data" }), [
      "/data/batteries.json"
    ])
    assert.deepStrictEqual(paths(dir("/home/x/.buttons", "ancestor"), home), [
      "/home/x/.buttons/batteries.json"
    ])
  })

  it("is the global file and then the project's", () => {
    assert.deepStrictEqual(paths(dir("/srv/.buttons", "ancestor"), home), [
      "/home/x/.buttons/batteries.json",
      "/srv/.buttons/batteries.json"
    ])
    assert.deepStrictEqual(paths(dir("/srv/data", "explicit"), { ...home, buttonsHome: "/data" }), [
      "/data/batteries.json",
      "/srv/data/batteries.json"
    ])
  })

  it("is the project's alone where there is no home", () => {
    assert.deepStrictEqual(paths(dir("/srv/data", "explicit"), { buttonsHome: undefined, home: undefined }), [
      "/srv/data/batteries.json"
    ])
  })
})

/** Writes files in folders of their own, and reads them as one. */
const charged = (contents: ReadonlyArray<string | undefined>, mode = 0o600) =>
  Effect.gen(function* () {
    const root = yield* Temporary.folder
    const files = contents.map((_, index) => ({
      path: Path.join(root, `${index}.json`),
      name: `file ${index}`
    }))
    for (const [index, content] of contents.entries()) {
      if (content === undefined) continue
      yield* Temporary.write(root, { [`${index}.json`]: content })
      yield* Effect.promise(() => Fs.chmod(Path.join(root, `${index}.json`), mode))
    }
    return yield* Batteries.ofFiles(files).read
  })

const file = (batteries: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ schema_version: 1, batteries })

const greedy = button("greedy", { requires_batteries: ["APIFY_TOKEN", "A"] })
const modest = button("modest")

const variables = (of: typeof greedy, found: Batteries.Charged) =>
  Either.match(Batteries.variables(of, found), {
    onLeft: (error) => toFailure(error),
    onRight: (given) => given
  })

describe("Batteries.ofFiles", () => {
  it.scoped("gives a button what it requires and no more, the later file first", () =>
    Effect.gen(function* () {
      const found = yield* charged([
        file({ APIFY_TOKEN: "global", A: "1", OTHER: "x" }),
        file({ APIFY_TOKEN: "secret123" })
      ])
      assert.deepStrictEqual(variables(greedy, found), {
        BUTTONS_BAT_APIFY_TOKEN: "secret123",
        BUTTONS_BAT_A: "1"
      })
      assert.deepStrictEqual(variables(modest, found), {})
    })
  )

  it.scoped("names what is missing", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(variables(greedy, yield* charged([undefined, file({ A: "" })])), {
        code: "PRESS_ERROR",
        message: 'Button "greedy" requires "APIFY_TOKEN", which batteries.json does not hold'
      })
    })
  )

  it.scoped("leaves out what cannot be a variable", () =>
    Effect.gen(function* () {
      const { values } = yield* charged([
        file({
          APIFY_TOKEN: "1",
          OPENAI_KEY_2: "2",
          A: "3",
          "": "4",
          lowercase: "5",
          "1LEADING_DIGIT": "6",
          "HAS-DASH": "7",
          "HAS SPACE": "8",
          NUL: "a\0b",
          NUMBER: 5
        })
      ])
      assert.deepStrictEqual([...values.keys()], ["APIFY_TOKEN", "OPENAI_KEY_2", "A"])
    })
  )

  it.scoped.each([
    ["{", "does not hold a JSON object"],
    ["[]", "does not hold a JSON object"],
    ['{"batteries":[]}', "has no object of batteries"],
    [" ".repeat(1_048_577), "is larger than 1048576 bytes"]
  ])("stops those that require batteries, and only those, when a file is wrong", ([content, detail]) =>
    Effect.gen(function* () {
      const found = yield* charged([content, file({ APIFY_TOKEN: "1", A: "2" })])
      assert.deepStrictEqual(variables(greedy, found), {
        code: "PRESS_ERROR",
        message: `Button "greedy" requires batteries, but file 0 ${detail}`
      })
      assert.deepStrictEqual(variables(modest, found), {})
    })
  )

  it.scoped.each([0o640, 0o604, 0o620, 0o666])(
    "does not use a file that others may read or change: %o",
    (mode) =>
      Effect.gen(function* () {
        const found = yield* charged([file({ A: "2" })], mode)
        assert.deepStrictEqual([...found.values], [])
        assert.deepStrictEqual(found.unreadable, [
          { file: "file 0", detail: "can be read or changed by other users; take that away with chmod 600" }
        ])
      })
  )

  it.scoped("does not wait for a pipe or read a folder", () =>
    Effect.gen(function* () {
      const root = yield* Temporary.folder
      execFileSync("mkfifo", [Path.join(root, "pipe")])
      const { unreadable } = yield* Batteries.ofFiles([
        { path: Path.join(root, "pipe"), name: "pipe" },
        { path: root, name: "folder" }
      ]).read
      assert.deepStrictEqual(unreadable, [
        { file: "pipe", detail: "is not a file" },
        { file: "folder", detail: "is not a file" }
      ])
    })
  )
})

describe("Button.decode, batteries", () => {
  it.each(["", "lowercase", "1LEADING_DIGIT", "HAS-DASH", "HAS SPACE"])("refuses the name %j", (name) => {
    assert.throws(() => button("x", { requires_batteries: [name] }), /cannot be a battery's name/)
  })
})
