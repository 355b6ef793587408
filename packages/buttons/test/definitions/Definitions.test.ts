/** A real definitions file beside a real folder, with real commands. */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ButtonCatalogue } from "@pushbutton/buttons/ButtonCatalogue"
import { toFailure } from "@pushbutton/buttons/ButtonError"
import * as Problem from "@pushbutton/buttons/ButtonProblem"
import * as Buttons from "@pushbutton/buttons/Buttons"
import { Definitions } from "@pushbutton/buttons/definitions/Definitions"
import { Press } from "@pushbutton/buttons/Press"
import { PressHistory } from "@pushbutton/buttons/PressHistory"
import type * as UriTemplate from "@pushbutton/protocol/UriTemplate"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Queue from "effect/Queue"
import * as TestClock from "effect/TestClock"
import { joined } from "../suites/pressKeys.js"
import { json } from "../support/definitions.js"
import * as Temporary from "../support/temporary.js"

type Variables = Readonly<Record<string, UriTemplate.Value>>

/** A data folder and a definitions file beside it. */
const place = Effect.map(Temporary.dataDir, (dataDir) => {
  const file = Path.join(dataDir.root, "pushbutton.yaml")
  return {
    dataDir,
    file,
    write: (text: string) => Temporary.write(dataDir.root, { "pushbutton.yaml": text }),
    layer: Buttons.layer(dataDir, { definitions: file, workingDirectory: dataDir.root })
  }
})

/** Reads the only resource, or the only template with these variables. */
const read = (variables: Variables = {}) =>
  Effect.gen(function* () {
    const { defined, problems } = yield* (yield* Definitions).current
    assert.deepStrictEqual(problems, [])
    const [found] = defined.resources
    if (found === undefined) return assert.fail("there is no resource")
    const { resource } = found
    const reading = yield* resource._tag === "Resource"
      ? resource.read(resource.definition.uri)
      : resource.read(variables, "x:y")
    return reading.result.contents[0]
  })

const problems = Effect.map(
  Effect.flatMap(ButtonCatalogue, ({ list }) => list),
  (listing) => listing.problems.map((problem) => `${problem.severity} ${Problem.format(problem)}`)
)

const slugs = Effect.map(
  Effect.flatMap(ButtonCatalogue, ({ list }) => list),
  ({ buttons }) => buttons.map(({ slug }) => slug)
)

const press = (name: string, args = {}) =>
  Effect.flatMap(Press, (service) => service.press({ name, args, caller: "cli" }))

const nextTurn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe("a definitions file", () => {
  it.scopedLive("has buttons that are pressed and recorded like those of the folder", () =>
    Effect.gen(function* () {
      const { dataDir, layer, write } = yield* place
      yield* Temporary.write(dataDir.root, {
        "buttons/old/button.json": json({ name: "old" }),
        "buttons/old/main.sh": "echo folder",
        "scripts/poll.sh": "echo file $BUTTONS_ARG_N"
      })
      yield* write(`
buttons:
  greet: { code: 'echo "hello $BUTTONS_ARG_WHO"', args: [{ name: who, type: string, required: true }] }
  poll: { file: scripts/poll.sh, args: [{ name: n, type: int }] }
  count: { code: console.log(6 * 7), runtime: node }
  review: { prompt: Review it. }
`)
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* problems, [])
        assert.deepStrictEqual(yield* slugs, ["count", "greet", "old", "poll", "review"])
        const injected = yield* press("Greet", { who: "$(id); `id`" })
        assert.strictEqual(injected.stdout, "hello $(id); `id`\n")
        assert.isTrue(injected.recorded)
        assert.strictEqual((yield* press("poll", { n: 7 })).stdout, "file 7\n")
        assert.strictEqual((yield* press("count")).stdout, "42\n")
        assert.strictEqual((yield* press("review")).stdout, "Review it.")
        assert.strictEqual((yield* press("old")).stdout, "folder\n")
        const history = yield* PressHistory
        assert.deepInclude((yield* history.recent("greet", 5))[0], { run_id: injected.runId })
        assert.lengthOf(yield* history.recent("old", 5), 1)
        assert.deepStrictEqual(yield* problems, [])
      }).pipe(Effect.provide(layer))
    })
  )

  it.scopedLive("goes before a folder of the same name, and both are named", () =>
    Effect.gen(function* () {
      const { dataDir, layer, write } = yield* place
      yield* Temporary.write(dataDir.root, {
        "buttons/deploy/button.json": json({ name: "deploy", mcp_enabled: true }),
        "buttons/deploy/main.sh": "echo folder"
      })
      yield* write("buttons:\n  deploy: { code: echo file }\n")
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* problems, [
          'error pushbutton.yaml:2:3: "deploy" is also a folder, buttons/deploy of the data folder; the one of this file is used, so rename one of them'
        ])
        assert.strictEqual((yield* press("deploy")).stdout, "file\n")
        const { buttons, hidden } = yield* (yield* ButtonCatalogue).list
        assert.deepStrictEqual([buttons.length, hidden.has("deploy")], [1, true])
      }).pipe(Effect.provide(layer))
    })
  )

  it.scopedLive("keeps from agents what is wrong with a button that has not opted in", () =>
    Effect.gen(function* () {
      const { layer, write } = yield* place
      yield* write("buttons:\n  secret: { code: 5 }\n  open: { mcp_enabled: true, code: 5 }\n")
      yield* Effect.gen(function* () {
        const { hidden, problems } = yield* (yield* ButtonCatalogue).list
        const shown = problems.filter(({ slug }) => !hidden.has(slug)).map(Problem.format)
        assert.lengthOf(problems, 2)
        assert.match(shown.join("\n"), /^pushbutton\.yaml:3:36: buttons\.open\.code: must be a string;.*$/)
      }).pipe(Effect.provide(layer))
    })
  )

  it.scopedLive("counts at once, and stays as it was while it has an error", () =>
    Effect.gen(function* () {
      const { file, layer, write } = yield* place
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* problems, ["error pushbutton.yaml: is missing"])
        yield* write("buttons: { one: { code: x } }\n")
        assert.deepStrictEqual([yield* slugs, yield* problems], [["one"], []])
        yield* write("buttons: { two: { code: [] } }\n")
        assert.deepStrictEqual(yield* slugs, ["one"])
        assert.deepStrictEqual(yield* problems, [
          "error pushbutton.yaml:1:25: buttons.two.code: must be a string; numbers, true and false need quotes"
        ])
        yield* Effect.promise(() => Fs.writeFile(file, "buttons: { two: { code: \xfc } }\n", "latin1"))
        assert.deepStrictEqual(
          [yield* slugs, yield* problems],
          [["one"], ["error pushbutton.yaml:1:25: is not UTF-8"]]
        )
        yield* write("buttons: { two: { code: x } }\n")
        assert.deepStrictEqual([yield* slugs, yield* problems], [["two"], []])
        yield* Temporary.remove(file)
        assert.deepStrictEqual([yield* slugs, yield* problems], [[], ["error pushbutton.yaml: is missing"]])
      }).pipe(Effect.provide(layer))
    })
  )

  it.scopedLive("is not read when every user can change it, nor is such code run", () =>
    Effect.gen(function* () {
      const { dataDir, file, layer, write } = yield* place
      yield* Temporary.write(dataDir.root, { "run.sh": "echo" })
      yield* write("buttons: { a: { file: run.sh }, b: { file: none.sh } }\n")
      yield* Effect.promise(() => Fs.chmod(Path.join(dataDir.root, "run.sh"), 0o777))
      const byAll = "can be changed by every user; take that away with chmod o-w"
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(
          [yield* slugs, yield* problems],
          [
            [],
            [
              `error pushbutton.yaml:1:12: file: ${byAll}`,
              "error pushbutton.yaml:1:33: file: is missing: it holds the button's code"
            ]
          ]
        )
        assert.strictEqual(toFailure(yield* Effect.flip(press("a"))).code, "VALIDATION_ERROR")
        yield* Effect.promise(() => Fs.chmod(file, 0o666))
        assert.deepStrictEqual(yield* problems, [`error pushbutton.yaml: ${byAll}`])
      }).pipe(Effect.provide(layer))
    })
  )

  it.scopedLive("tells a follower of edits, in whatever way they are made", () =>
    Effect.gen(function* () {
      const { dataDir, file, layer, write } = yield* place
      yield* Effect.gen(function* () {
        const told = yield* Queue.unbounded<string>()
        yield* (yield* ButtonCatalogue).follow(({ buttons, problems }) =>
          Queue.offer(
            told,
            [...buttons.map(({ slug }) => slug), ...problems.map(({ message }) => message)].join()
          )
        )
        const until = (expected: string) =>
          Effect.repeat(Queue.take(told), { until: (content) => content === expected })
        yield* until("is missing")
        yield* write("buttons: { one: { code: x } }\n")
        yield* until("one")
        yield* Temporary.write(dataDir.root, { new: "buttons: { two: { code: x } }\n" })
        yield* Effect.promise(() => Fs.rename(Path.join(dataDir.root, "new"), file))
        yield* until("two")
        yield* Temporary.write(dataDir.root, { "elsewhere/real.yaml": "buttons: { three: { code: x } }\n" })
        yield* Temporary.remove(file)
        yield* Effect.promise(() => Fs.symlink("elsewhere/real.yaml", file))
        yield* until("three")
        // Nothing happens in the folder of the file that was named.
        yield* Temporary.write(dataDir.root, { "elsewhere/real.yaml": "buttons: { four: { code: x } }\n" })
        yield* until("four")
        yield* Temporary.write(dataDir.root, {
          "buttons/five/button.json": json({ name: "five" }),
          "buttons/five/main.sh": ""
        })
        yield* until("five,four")
      }).pipe(Effect.provide(layer))
    })
  )

  it.scoped("is taken when it has been saved, and is not gone while it is written anew", () =>
    Effect.gen(function* () {
      const { file, layer, write } = yield* place
      yield* write("buttons:\n  one: { code: echo }\n  two: { code: echo }\n")
      const state = Effect.map(
        Effect.flatMap(Definitions, ({ current }) => current),
        ({ defined, problems }) => [defined.buttons.map(({ button }) => button.slug), problems.length]
      )
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* state, [["one", "two"], 0])
        for (const halfway of [
          () => write("buttons:\n  one: { code: echo }\n"),
          () => write("but"),
          () => Temporary.remove(file)
        ]) {
          yield* halfway()
          const seen = yield* Effect.fork(state)
          yield* Effect.repeat(nextTurn, {
            until: () => Effect.map(TestClock.sleeps(), Chunk.isNonEmpty),
            times: 500
          })
          yield* write("buttons:\n  one: { code: echo }\n  three: { code: echo }\n")
          assert.deepStrictEqual(yield* joined(seen), [["one", "three"], 0])
        }
        yield* Temporary.remove(file)
        assert.deepStrictEqual(yield* joined(yield* Effect.fork(state)), [[], 1])
      }).pipe(Effect.provide(layer))
    })
  )
})

describe("a resource of a definitions file", () => {
  const reading = (text: string, variables?: Variables, files: Readonly<Record<string, string>> = {}) =>
    Effect.gen(function* () {
      const { dataDir, layer, write } = yield* place
      yield* Temporary.write(dataDir.root, files)
      yield* write(text)
      return yield* Effect.provide(Effect.either(read(variables)), layer)
    })

  const content = (text: string, variables?: Variables, files?: Readonly<Record<string, string>>) =>
    Effect.map(reading(text, variables, files), (found) =>
      Either.isRight(found) ? found.right : found.left.message
    )

  it.scopedLive.each<[string, string, Variables, unknown]>([
    [
      "a text",
      "resources: { r: { uri: 'a:b', text: x, mime_type: text/plain } }",
      {},
      { uri: "a:b", mimeType: "text/plain", text: "x" }
    ],
    [
      "a file",
      "resources: { r: { uri: 'a:b', file: docs/readme.md } }",
      {},
      { uri: "a:b", text: "# Read me" }
    ],
    [
      "what a command writes",
      "resources: { r: { uri: 'a:b', command: 'echo $X', env: { X: x } } }",
      {},
      { uri: "a:b", text: "x\n" }
    ],
    [
      "what Python writes",
      "resources: { r: { uri: 'a:b', command: 'print(6 * 7)', runtime: python } }",
      {},
      { uri: "a:b", text: "42\n" }
    ],
    [
      "what a command writes that gets the variables",
      "resource_templates: { r: { uri_template: 'a:{id}{/path*}{?q}', command: 'echo \"$BUTTONS_ARG_ID|$BUTTONS_ARG_PATH|$BUTTONS_ARG_Q|\"' } }",
      { id: "$(id) `id`; '\"", path: ["b", "c"] },
      { uri: "x:y", text: "$(id) `id`; '\"|b/c||\n" }
    ],
    [
      "a text with the variables filled in",
      "resource_templates: { r: { uri_template: 'a:{id}', text: '[{{id}}]' } }",
      { id: "{{id}}" },
      { uri: "x:y", text: "[{{id}}]" }
    ]
  ])("gives %s", ([, text, variables, expected]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* content(text, variables, { "docs/readme.md": "# Read me" }), expected)
    })
  )

  it.scopedLive("gives the bytes of a file that is no text", () =>
    Effect.gen(function* () {
      const { dataDir, layer, write } = yield* place
      yield* Effect.promise(() => Fs.writeFile(Path.join(dataDir.root, "b"), Uint8Array.of(0xff, 0, 1)))
      yield* write("resources: { r: { uri: 'a:b', file: b } }")
      assert.deepStrictEqual(yield* Effect.provide(read(), layer), { uri: "a:b", blob: "/wAB" })
    })
  )

  /** Not with the content, which may be long, when there is one. */
  const failure = (text: string) =>
    Effect.flip(Effect.flatMap(reading(text), (found) => Effect.asVoid(found)))

  const command = (code: string, more = "") => `resources: { r: { uri: 'a:b', command: '${code}'${more} } }`

  it.scopedLive.each<[string, string, string]>([
    ["fails", command("echo no >&2; exit 3"), "resource r exited with code 3: no"],
    ["takes too long", command("sleep 60", ", timeout_seconds: 1"), "resource r was stopped after 1 s"],
    [
      "writes too much",
      command("head -c 2000000 /dev/zero"),
      "resource r wrote 2000000 bytes, which is too much"
    ],
    ["needs a battery that is not there", command("x", ", requires_batteries: [TOKEN]"), "TOKEN"]
  ])("says so when its command %s", ([, text, expected]) =>
    Effect.gen(function* () {
      const failed = yield* failure(text)
      assert.strictEqual(failed._tag, "HandlerFailed")
      assert.include("detail" in failed ? failed.detail : "", expected)
    })
  )

  it.scopedLive.each<[string, string]>([
    ["its command exits with 66", command("exit 66")],
    ["its file is missing", "resources: { r: { uri: 'a:b', file: none } }"]
  ])("is not there when %s", ([, text]) =>
    Effect.gen(function* () {
      const failed = yield* failure(text)
      assert.strictEqual(failed._tag, "ResourceNotFound")
    })
  )

  it.scopedLive("is given a battery that it requires, and keeps it to itself", () =>
    Effect.gen(function* () {
      const { dataDir, layer, write } = yield* place
      yield* Temporary.write(dataDir.root, {
        "batteries.json": JSON.stringify({ schema_version: 1, batteries: { TOKEN: "secret123" } })
      })
      yield* Effect.promise(() => Fs.chmod(Path.join(dataDir.root, "batteries.json"), 0o600))
      yield* write(
        command(
          'test $BUTTONS_BAT_TOKEN = secret123 && echo "given $BUTTONS_BAT_TOKEN"',
          ", requires_batteries: [TOKEN]"
        )
      )
      const found = yield* Effect.provide(read(), layer)
      const text = found !== undefined && "text" in found ? found.text : ""
      assert.match(text, /^given /)
      assert.notInclude(text, "secret123")
    })
  )
})
