/** Folders that exist elsewhere, as folders on disk: what is listed of them, and what pressing them does. */
import * as Fs from "node:fs"
import * as FsPromises from "node:fs/promises"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ButtonCatalogue } from "@pushbutton/buttons/ButtonCatalogue"
import { toFailure } from "@pushbutton/buttons/ButtonError"
import * as Problem from "@pushbutton/buttons/ButtonProblem"
import * as Buttons from "@pushbutton/buttons/Buttons"
import type { DataDir } from "@pushbutton/buttons/DataDir"
import * as HostPolicy from "@pushbutton/buttons/http/HostPolicy"
import { Press, type PressRequest } from "@pushbutton/buttons/Press"
import type { Update } from "@pushbutton/buttons/PressProgress"
import * as Effect from "effect/Effect"
import * as Temporary from "./support/temporary.js"

const definition = (fixture: string) =>
  Fs.readFileSync(new URL(`./fixtures/reference/${fixture}.json`, import.meta.url), "utf8")

type Edit = (text: string) => string

const same: Edit = (text) => text

/** A data folder whose only button is this one, with its other files. */
const folder = (
  fixture: string,
  slug: string,
  files: Readonly<Record<string, string>> = {},
  edit: Edit = same
) =>
  Effect.tap(Temporary.dataDir, ({ buttons }) =>
    Temporary.write(Path.join(buttons, slug), { "button.json": edit(definition(fixture)), ...files })
  )

const layer = (dataDir: DataDir) =>
  Buttons.layer(dataDir, { workingDirectory: dataDir.root, hosts: HostPolicy.publicOnly })

const press = (
  dataDir: DataDir,
  name: string,
  args: PressRequest["args"] = {},
  more: Partial<PressRequest> = {}
) =>
  Effect.provide(
    Effect.flatMap(Press, (service) => service.press({ name, args, caller: "cli", ...more })),
    layer(dataDir)
  )

const refusal = (...all: Parameters<typeof press>) => Effect.map(Effect.flip(press(...all)), toFailure)

const list = (dataDir: DataDir) =>
  Effect.provide(
    Effect.flatMap(ButtonCatalogue, (catalogue) => catalogue.list),
    layer(dataDir)
  )

describe("a folder of the reference", () => {
  it.scopedLive("20.1 publish-npm takes snake-case arguments, and has a note of the older name", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder("20-01-publish-npm", "publish-npm", {
        "main.sh":
          'case "$BUTTONS_ARG_DRY_RUN" in 1|true) flag=--dry-run;; esac\necho "$BUTTONS_ARG_VERSION $flag"',
        "AGENT.md": "Publishes."
      })
      const { buttons, problems } = yield* list(dataDir)
      assert.deepStrictEqual(problems, [])
      assert.deepInclude(buttons[0], { noteFile: "AGENT.md", timeoutSeconds: 600, mcpEnabled: false })
      const whole = { version: "1.2.3", dry_run: true }
      assert.strictEqual((yield* press(dataDir, "publish-npm", whole)).stdout, "1.2.3 --dry-run\n")
      assert.strictEqual((yield* refusal(dataDir, "publish-npm")).code, "MISSING_ARG")
      assert.strictEqual((yield* refusal(dataDir, "publish-npm", whole, { caller: "mcp" })).code, "NOT_FOUND")
    })
  )

  it.scopedLive("20.2 slow reports progress in lines that are no JSON, and ends well", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder("20-02-slow", "slow", {
        "main.sh": [
          "  ",
          "for i in 1 2 3; do",
          '  echo "step $i"',
          '  echo "{\\"pct\\":.$i,\\"msg\\":\\"step $i\\"}" >> "$BUTTONS_PROGRESS_PATH"',
          "done",
          'echo "{\\"pct\\":1,\\"msg\\":\\"done\\"}" >> "$BUTTONS_PROGRESS_PATH"   '
        ].join("\n")
      })
      const updates: Array<Update> = []
      const result = yield* press(
        dataDir,
        "slow",
        {},
        {
          onProgress: (update) => Effect.sync(() => void updates.push(update))
        }
      )
      assert.deepInclude(result, { status: "ok", stdout: "step 1\nstep 2\nstep 3\n" })
      assert.deepInclude(updates.at(-1), { message: "done" })
    })
  )

  it.scopedLive("20.3 exposed is there for agents and hidden is not, without notes or history", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder("20-03-exposed", "exposed", { "main.sh": "echo pong" })
      yield* Temporary.write(Path.join(dataDir.buttons, "hidden"), {
        "button.json": definition("20-03-exposed")
          .replace('"name":"exposed"', '"name":"hidden"')
          .replace('"mcp_enabled":true', '"mcp_enabled":false'),
        "main.sh": "echo pong"
      })
      const { buttons, hidden } = yield* list(dataDir)
      assert.deepStrictEqual([buttons.length, [...hidden]], [2, ["hidden"]])
      assert.strictEqual((yield* press(dataDir, "exposed", {}, { caller: "mcp" })).stdout, "pong\n")
      assert.strictEqual((yield* refusal(dataDir, "hidden", {}, { caller: "mcp" })).code, "NOT_FOUND")
    })
  )

  it.scopedLive("20.4 greet has an argument that may be left out", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder("20-04-greet", "greet", {
        "main.sh": 'who=$BUTTONS_ARG_WHO; test -n "$who" || who=stranger; echo "hi $who"'
      })
      assert.strictEqual((yield* press(dataDir, "greet", { who: "bobak" })).stdout, "hi bobak\n")
      assert.strictEqual((yield* press(dataDir, "greet")).stdout, "hi stranger\n")
    })
  )

  it.scopedLive("20.5 need is refused without its argument, and to agents", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder("20-05-need", "need", { "main.sh": "" })
      assert.strictEqual((yield* refusal(dataDir, "need")).code, "MISSING_ARG")
      assert.isTrue((yield* list(dataDir)).hidden.has("need"))
    })
  )

  it.scopedLive("20.6 slow is stopped at the limit of its caller", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder("20-06-slow", "slow", { "main.sh": "sleep 60" })
      const result = yield* press(dataDir, "slow", {}, { limitSeconds: 1 })
      assert.deepInclude(result, { status: "timeout", reason: "timed-out", timeoutSeconds: 1 })
    })
  )

  it.scopedLive("20.7 fetch needs no code, keeps to its host, and to public addresses", () =>
    Effect.gen(function* () {
      const fetch = (edit?: Edit) => folder("20-07-fetch", "fetch", {}, edit)
      const { buttons, problems } = yield* list(yield* fetch())
      assert.deepStrictEqual([buttons[0]?.runtime, problems], ["http", []])
      const elsewhere = yield* fetch((text) =>
        text.replace('"allowed_host":"api.example.com"', '"allowed_host":"example.org"')
      )
      assert.strictEqual((yield* refusal(elsewhere, "fetch")).code, "VALIDATION_ERROR")
      const loopback = yield* fetch((text) => text.replaceAll("api.example.com", "127.0.0.1:9"))
      assert.strictEqual((yield* press(loopback, "fetch")).status, "error")
    })
  )

  it.scopedLive("20.8 release checks its enum, and no other spelling gets around that", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder("20-08-release", "release", { "main.sh": "echo $BUTTONS_ARG_ENV" })
      assert.strictEqual((yield* press(dataDir, "release", { env: "prod", version: "1" })).stdout, "prod\n")
      for (const args of [
        { env: "moon", version: "1" },
        { env: "prod", version: "1", ENV: "moon" }
      ])
        assert.strictEqual((yield* refusal(dataDir, "release", args)).code, "VALIDATION_ERROR")
    })
  )

  it.scopedLive("20.9 hello is not run without the battery that it requires", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder("20-09-hello", "hello", {
        "main.sh": 'test "$BUTTONS_BAT_OPENAI_API_KEY" = charged && echo "hello $BUTTONS_ARG_NAME"'
      })
      assert.include((yield* refusal(dataDir, "hello", { name: "Ada" })).message, "OPENAI_API_KEY")
      const batteries = Path.join(dataDir.root, "batteries.json")
      yield* Effect.promise(() =>
        FsPromises.writeFile(batteries, '{"schema_version":1,"batteries":{"OPENAI_API_KEY":"charged"}}', {
          mode: 0o600
        })
      )
      assert.strictEqual((yield* press(dataDir, "hello", { name: "Ada" })).stdout, "hello Ada\n")
    })
  )

  it.scopedLive("20.10 hello is read in spite of the older form of `requires`", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder("20-10-hello", "hello", { "main.sh": "echo hello" })
      assert.deepStrictEqual((yield* list(dataDir)).problems, [])
      assert.deepInclude(yield* press(dataDir, "hello"), { stdout: "hello\n", timeoutSeconds: 300 })
    })
  )

  it.scopedLive.each(["20-11-weather", "20-13-weather"])("%s is read, and waits for nothing", (fixture) =>
    Effect.gen(function* () {
      const { buttons, problems } = yield* list(yield* folder(fixture, "weather"))
      assert.deepStrictEqual([buttons[0]?.slug, buttons[0]?.runtime, problems], ["weather", "http", []])
    })
  )

  it.scopedLive("20.12 deploy has no code, which a press says", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder("20-12-deploy", "deploy")
      assert.deepStrictEqual((yield* list(dataDir)).problems.map(Problem.format), [
        "buttons/deploy/main.sh: is missing: it holds the button's code"
      ])
      assert.strictEqual((yield* refusal(dataDir, "deploy")).code, "SCRIPT_ERROR")
    })
  )

  it.scopedLive("20.14 summarize-pr answers with its note, however long its argument is", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder("20-14-summarize-pr", "summarize-pr", {
        "AGENTS.md": "Summarize {{diff}}.\n"
      })
      const result = yield* press(dataDir, "summarize-pr", { diff: "x".repeat(300_000) }, { caller: "mcp" })
      assert.deepInclude(result, { status: "ok", stdout: "Summarize {{diff}}.\n", recorded: true })
    })
  )

  it.scopedLive("20.15 deckone is an app: not there in `apps`, and refused among the buttons", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder("20-15-deckone", "deckone", {}, (text) =>
        text.replace('"mcp_enabled": false', '"mcp_enabled": true')
      )
      yield* Temporary.write(Path.join(dataDir.root, "apps/other"), {
        "button.json": definition("20-15-deckone").replace('"deckone"', '"other"')
      })
      const { buttons, problems } = yield* list(dataDir)
      assert.deepStrictEqual(buttons, [])
      assert.strictEqual(problems[0]?.message, "apps are served, not pressed; this is not a button")
      assert.strictEqual((yield* refusal(dataDir, "deckone")).code, "VALIDATION_ERROR")
      assert.strictEqual((yield* refusal(dataDir, "other")).code, "NOT_FOUND")
    })
  )

  it.scopedLive("stands beside all the others, and what is wrong with one hides none", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder("20-03-exposed", "exposed", { "main.sh": "" })
      yield* Temporary.write(dataDir.buttons, {
        "need/button.json": definition("20-05-need"),
        "need/main.sh": "",
        "deckone/button.json": definition("20-15-deckone"),
        "half/button.json": definition("20-04-greet").slice(0, 40),
        "renamed/button.json": definition("20-04-greet"),
        "empty/notes.txt": "",
        "fetch/button.json": definition("20-07-fetch")
      })
      const { buttons, problems } = yield* list(dataDir)
      assert.deepStrictEqual(
        buttons.map(({ slug }) => slug),
        ["exposed", "fetch", "need"]
      )
      assert.deepStrictEqual(
        [...new Set(problems.map(({ slug }) => slug))],
        ["deckone", "empty", "half", "renamed"]
      )
    })
  )
})
