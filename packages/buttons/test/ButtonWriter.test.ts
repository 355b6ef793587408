/** Buttons that are written: what other programs of the format find, and what stays as it was. */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as ButtonCatalogue from "@pushbutton/buttons/ButtonCatalogue"
import * as ButtonWriter from "@pushbutton/buttons/ButtonWriter"
import type { DataDir } from "@pushbutton/buttons/DataDir"
import type { NewButton } from "@pushbutton/buttons/NewButton"
import { toWriteFailure } from "@pushbutton/buttons/WriteRefused"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { json } from "./support/definitions.js"
import * as Temporary from "./support/temporary.js"

const services = (dataDir: DataDir) =>
  Layer.provideMerge(ButtonWriter.layerFileSystem(dataDir), ButtonCatalogue.layerFileSystem(dataDir))

const create = (button: Partial<NewButton>, bounds?: ButtonWriter.Bounds) =>
  Effect.flatMap(ButtonWriter.ButtonWriter, (writer) =>
    writer.create(
      {
        name: "greet",
        action: { _tag: "Code", runtime: "shell", code: "echo hi" },
        mcpEnabled: false,
        ...button
      },
      bounds
    )
  )

const setEnabled = (name: string, isEnabled: boolean) =>
  Effect.flatMap(ButtonWriter.ButtonWriter, (writer) => writer.setEnabled(name, isEnabled))

const inFolder = <A, E>(
  use: (dataDir: DataDir) => Effect.Effect<A, E, ButtonWriter.ButtonWriter | ButtonCatalogue.ButtonCatalogue>
) =>
  Effect.scoped(
    Effect.flatMap(Temporary.dataDir, (dataDir) => Effect.provide(use(dataDir), services(dataDir)))
  )

const { read } = Temporary

const mode = (...path: ReadonlyArray<string>) =>
  Effect.map(
    Effect.promise(() => Fs.stat(Path.join(...path))),
    (stats) => (stats.mode & 0o777).toString(8)
  )

describe("creating a button", () => {
  it.live("writes its folder as the format has it, for the owner only", () =>
    inFolder(({ buttons }) =>
      Effect.gen(function* () {
        const slug = yield* create({
          name: "My Greeter",
          description: "Greets <somebody>",
          tags: ["social"],
          args: [{ name: "who", type: "string", required: true }],
          requiredBatteries: ["TOKEN"],
          timeoutSeconds: 10
        })
        assert.strictEqual(slug, "my-greeter")
        const text = yield* read(buttons, slug, "button.json")
        const { created_at, ...definition } = JSON.parse(text)
        assert.match(created_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
        assert.deepStrictEqual(definition, {
          schema_version: 2,
          name: "my-greeter",
          description: "Greets <somebody>",
          tags: ["social"],
          version: "1",
          runtime: "shell",
          args: [{ name: "who", type: "string", required: true }],
          env: {},
          timeout_seconds: 10,
          mcp_enabled: false,
          requires_batteries: ["TOKEN"],
          updated_at: created_at
        })
        const order = [...text.matchAll(/^ {2}"(\w+)"/gm)].map(([, key]) => key)
        assert.deepStrictEqual(order.slice(0, 6), [
          "schema_version",
          "name",
          "description",
          "tags",
          "version",
          "runtime"
        ])
        assert.deepStrictEqual(order.slice(-2), ["created_at", "updated_at"])
        assert.strictEqual(yield* read(buttons, slug, "main.sh"), "echo hi\n")
        assert.deepStrictEqual(
          yield* Effect.all([
            mode(buttons, slug),
            mode(buttons, slug, "pressed"),
            mode(buttons, slug, "button.json"),
            mode(buttons, slug, "main.sh")
          ]),
          ["700", "700", "600", "700"]
        )
        assert.deepStrictEqual(yield* Effect.promise(() => Fs.readdir(buttons)), [slug])
        const { buttons: listed, problems } = yield* Effect.flatMap(
          ButtonCatalogue.ButtonCatalogue,
          ({ list }) => list
        )
        assert.deepStrictEqual([listed.map((button) => button.slug), problems], [[slug], []])
      })
    )
  )

  it.live("writes prompts and requests too", () =>
    inFolder(({ buttons }) =>
      Effect.gen(function* () {
        yield* create({ name: "ask", action: { _tag: "Prompt", text: "Breathe.\n" } })
        assert.strictEqual(yield* read(buttons, "ask", "AGENTS.md"), "Breathe.\n")
        yield* create({
          name: "weather",
          args: [{ name: "city", type: "string", required: true }],
          action: { _tag: "Http", url: "https://WTTR.in/{{city}}?format=j1", method: "post" }
        })
        assert.deepInclude(JSON.parse(yield* read(buttons, "weather", "button.json")), {
          runtime: "http",
          url: "https://WTTR.in/{{city}}?format=j1",
          method: "POST",
          max_response_bytes: 10_485_760,
          allowed_host: "wttr.in"
        })
      })
    )
  )

  it.live.each<[string, Partial<NewButton>, string]>([
    ["a path for a name", { name: "../evil" }, "path"],
    ["a name of nothing", { name: "!!" }, "nothing of a name"],
    ["a command's name", { name: "Press" }, '"press"'],
    ["a name without end", { name: "x".repeat(129) }, "128 bytes"],
    ["an argument of no type", { args: [{ name: "n", type: "number", required: true }] }, "unknown type"],
    [
      "arguments that would be one variable",
      {
        args: [
          { name: "dry-run", type: "bool", required: false },
          { name: "dry_run", type: "bool", required: false }
        ]
      },
      "would both be"
    ],
    [
      "an argument that no script can read",
      { args: [{ name: "a b", type: "string", required: true }] },
      "cannot be read"
    ],
    ["an enum of one", { args: [{ name: "e", type: "enum", required: true, values: ["x"] }] }, "two values"],
    ["no time", { timeoutSeconds: 0 }, "above 0"],
    ["more than a day", { timeoutSeconds: 100_000 }, "longer than a day"],
    ["no code", { action: { _tag: "Code", runtime: "bash", code: " \n" } }, "empty"],
    ["another scheme", { action: { _tag: "Http", url: "file:///etc/passwd" } }, "http://"],
    ["a host of its arguments", { action: { _tag: "Http", url: "https://{{host}}/" } }, "host"],
    ["a password in the URL", { action: { _tag: "Http", url: "https://u:p@example.com/" } }, "password"],
    ["a definition that cannot be read again", { description: "x".repeat(1_048_576) }, "1048576 bytes"],
    [
      "a prompt that cannot be read again",
      { action: { _tag: "Prompt", text: "x".repeat(1_048_577) } },
      "AGENTS.md would be larger than 1048576 bytes"
    ],
    [
      "a method of nothing",
      { action: { _tag: "Http", url: "https://example.com/", method: "a b" } },
      "method"
    ]
  ])("refuses %s, and leaves nothing behind", ([, button, words]) =>
    inFolder(({ buttons }) =>
      Effect.gen(function* () {
        const failure = toWriteFailure(yield* Effect.flip(create(button)))
        assert.strictEqual(failure.code, "VALIDATION_ERROR")
        assert.include(failure.message, words)
        assert.deepStrictEqual(yield* Effect.promise(() => Fs.readdir(buttons)), [])
      })
    )
  )

  it.live("lets one of many win, and tells the others", () =>
    inFolder(({ buttons }) =>
      Effect.gen(function* () {
        const ended = yield* Effect.forEach(
          Array.from({ length: 20 }, (_, index) => `echo ${index}`),
          (code) => Effect.either(create({ action: { _tag: "Code", runtime: "shell", code } })),
          { concurrency: "unbounded" }
        )
        const failures = ended.filter(Either.isLeft).map(({ left }) => toWriteFailure(left).code)
        assert.deepStrictEqual(
          failures,
          Array.from({ length: 19 }, () => "ALREADY_EXISTS")
        )
        const winner = ended.findIndex(Either.isRight)
        assert.strictEqual(yield* read(buttons, "greet", "main.sh"), `echo ${winner}\n`)
        assert.deepStrictEqual(yield* Effect.promise(() => Fs.readdir(buttons)), ["greet"])
      })
    )
  )

  it.live("keeps to its bounds, however many come at once", () =>
    inFolder(({ buttons }) =>
      Effect.gen(function* () {
        yield* create({ name: "of-a-person" })
        const ended = yield* Effect.forEach(
          ["a", "b", "c", "d", "e"],
          (name) => Effect.either(create({ name }, { maxButtons: 3, maxBytes: 1_000 })),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(ended.filter(Either.isRight).length, 2)
        assert.lengthOf(yield* Temporary.names(buttons), 3)
        yield* create({ name: "of-a-person-too" })
        const tooLarge = create(
          { name: "f", description: "x".repeat(1_000) },
          { maxButtons: 9, maxBytes: 1_000 }
        )
        assert.include(toWriteFailure(yield* Effect.flip(tooLarge)).message, "1000 bytes in all")
      })
    )
  )

  it.live.each<[string, string, string]>([
    ["a broken button", "buttons/greet/button.json", "{"],
    ["a folder without a definition", "buttons/greet/pressed/x", ""],
    ["a file", "buttons/greet", "text"],
    ["a drawer", "drawers/greet/drawer.json", "{}"]
  ])("never replaces %s", ([, path, text]) =>
    inFolder(({ root }) =>
      Effect.gen(function* () {
        yield* Temporary.write(root, { [path]: text })
        assert.strictEqual(toWriteFailure(yield* Effect.flip(create({}))).code, "ALREADY_EXISTS")
        assert.strictEqual(yield* read(root, path), text)
      })
    )
  )
})

const before = `{
  "schema_version": 2, "name": "greet",
  "env": null,
  "x_unknown": 12345678901234567890.50,
  "mcp_enabled": false,
  "timeout_seconds": 30,
  "updated_at": "2020-01-01T00:00:00+02:00"
}
`

describe("showing a button to agents", () => {
  it.live("changes what it is about and nothing else", () =>
    inFolder(({ buttons }) =>
      Effect.gen(function* () {
        yield* Temporary.write(buttons, { "greet/button.json": before, "greet/main.sh": "echo hi\n" })
        const path = Path.join(buttons, "greet/button.json")
        yield* Effect.promise(() => Fs.chmod(path, 0o640))
        assert.deepStrictEqual(yield* setEnabled("Greet", true), { slug: "greet", hasChanged: true })
        const after = yield* read(path)
        const [, updatedAt = ""] = /"updated_at": "(.*)"/.exec(after) ?? []
        assert.match(updatedAt, /Z$/)
        assert.strictEqual(
          after,
          before
            .replace('"mcp_enabled": false', '"mcp_enabled": true')
            .replace("2020-01-01T00:00:00+02:00", updatedAt)
        )
        assert.strictEqual(yield* mode(path), "640")
        assert.deepStrictEqual(yield* setEnabled("greet", true), { slug: "greet", hasChanged: false })
        assert.strictEqual(yield* read(path), after)
        yield* setEnabled("greet", false)
        assert.include(yield* read(path), '"mcp_enabled": false')
        assert.deepStrictEqual((yield* Effect.promise(() => Fs.readdir(Path.dirname(path)))).sort(), [
          "button.json",
          "main.sh"
        ])
      })
    )
  )

  it.live("leaves the definition to whom it belongs, and clears what was left behind", () =>
    inFolder(({ buttons }) =>
      Effect.gen(function* () {
        const left = (id: string) => Path.join(buttons, `greet/.button.json.${id}.tmp`)
        yield* Temporary.write(buttons, { "greet/button.json": before, "greet/main.sh": "" })
        yield* Effect.promise(async () => {
          for (const id of ["old", "new"]) await Fs.writeFile(left(id), "")
          await Fs.utimes(left("old"), 0, 0)
          const { gid, uid } = await Fs.stat(buttons)
          const owner = uid === 0 ? ([1234, 1235] as const) : ([uid, gid] as const)
          for (const path of [buttons, "greet", "greet/button.json", "greet/main.sh"])
            await Fs.chown(Path.resolve(buttons, path), ...owner)
          await Fs.chmod(Path.join(buttons, "greet/button.json"), 0o664)
        })
        const facts = Effect.promise(async () => {
          const { gid, mode, uid } = await Fs.stat(Path.join(buttons, "greet/button.json"))
          return { gid, mode, uid }
        })
        const known = yield* facts
        assert.isTrue((yield* setEnabled("greet", true)).hasChanged)
        assert.deepStrictEqual(yield* facts, known)
        assert.sameMembers(yield* Effect.promise(() => Fs.readdir(Path.join(buttons, "greet"))), [
          ".button.json.new.tmp",
          "button.json",
          "main.sh"
        ])
      })
    )
  )

  it.live("keeps a link what it is", () =>
    inFolder(({ buttons, root }) =>
      Effect.gen(function* () {
        yield* Temporary.write(root, {
          "shared/greet.json": json({ name: "greet" }),
          "buttons/greet/main.sh": ""
        })
        const link = Path.join(buttons, "greet/button.json")
        yield* Effect.promise(() => Fs.symlink("../../shared/greet.json", link))
        yield* setEnabled("greet", true)
        assert.isTrue((yield* Effect.promise(() => Fs.lstat(link))).isSymbolicLink())
        assert.isTrue(JSON.parse(yield* read(root, "shared/greet.json")).mcp_enabled)
      })
    )
  )

  it.live.each<[string, Readonly<Record<string, string>>, string]>([
    ["nobody", {}, "NOT_FOUND"],
    ["broken", { "broken/button.json": "{" }, "VALIDATION_ERROR"],
    [
      "wrong",
      { "wrong/button.json": json({ name: "wrong", runtime: "cobol" }), "wrong/main.sh": "" },
      "VALIDATION_ERROR"
    ]
  ])("refuses %s", ([name, files, code]) =>
    inFolder(({ buttons }) =>
      Effect.gen(function* () {
        yield* Temporary.write(buttons, files)
        assert.strictEqual(toWriteFailure(yield* Effect.flip(setEnabled(name, true))).code, code)
      })
    )
  )
})
