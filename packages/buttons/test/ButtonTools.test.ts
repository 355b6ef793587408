import { assert, describe, it } from "@effect/vitest"
import type { Button } from "@pushbutton/buttons/Button"
import * as ButtonCatalogue from "@pushbutton/buttons/ButtonCatalogue"
import * as ButtonTools from "@pushbutton/buttons/ButtonTools"
import * as Press from "@pushbutton/buttons/Press"
import * as PressHistory from "@pushbutton/buttons/PressHistory"
import * as PressRunner from "@pushbutton/buttons/PressRunner"
import * as RunIds from "@pushbutton/buttons/RunIds"
import * as Runtime from "@pushbutton/buttons/Runtime"
import type { RequestContext } from "@pushbutton/server/RequestContext"
import type { Tool } from "@pushbutton/server/Tool"
import type { ToolResult } from "@pushbutton/server/ToolResult"
import * as TestRequest from "@pushbutton/server/testing/TestRequest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { guards } from "./support/guards.js"
import { noBatteriesNoHttp } from "./support/pressing.js"

const button = (slug: string, fields: Partial<Button> = {}): Button => ({
  slug,
  description: `Button ${slug}`,
  runtime: "shell",
  args: [],
  env: { TOKEN: "hunter2" },
  requiredBatteries: [],
  http: undefined,
  timeoutSeconds: 30,
  queue: undefined,
  mcpEnabled: true,
  tags: [],
  outputSchema: undefined,
  directory: `/data/buttons/${slug}`,
  relativeDirectory: `buttons/${slug}`,
  codeFile: "main.sh",
  noteFile: undefined,
  raw: {},
  ...fields
})

const deploy = button("deploy", {
  tags: ["release"],
  args: [
    { name: "env", type: "enum", required: true, values: ["staging", "prod"] },
    { name: "dry-run", type: "bool", required: false, values: [] }
  ]
})

const catalogue = ButtonCatalogue.layerMemory({
  buttons: [deploy, button("hidden", { mcpEnabled: false }), button("checklist", { runtime: "prompt" })],
  notes: { checklist: "1. Breathe." },
  problems: [
    { slug: "broken", file: "buttons/broken/button.json", line: 3, severity: "error", message: "is wrong" },
    { slug: "hidden", file: "buttons/hidden/button.json", severity: "error", message: "is wrong too" },
    { slug: "deploy", file: "buttons/deploy/button.json", severity: "warning", message: "is odd" }
  ]
})

const exited = (exitCode: number, stdout: string, stderr = ""): PressRunner.PressOutcome => ({
  reason: "exited",
  exitCode,
  stdout: { text: stdout, bytes: stdout.length, truncated: false },
  stderr: { text: stderr, bytes: stderr.length, truncated: false },
  durationMillis: 7
})

type Run = (spec: PressRunner.PressSpec) => Effect.Effect<PressRunner.PressOutcome>

/** Calls button tools, one after the other, on the same services. */
const calls = (run: Run, ...all: ReadonlyArray<readonly [Tool<ToolServices>, Record<string, unknown>]>) => {
  const request = TestRequest.make({ meta: { progressToken: "p" } })
  const services = Press.layer({ environment: {}, workingDirectory: "/" }).pipe(
    Layer.provideMerge(Layer.mergeAll(catalogue, PressHistory.layerMemory)),
    Layer.provide(
      Layer.mergeAll(
        PressRunner.layerTest(run),
        noBatteriesNoHttp,
        RunIds.layerTest,
        guards,
        Layer.succeed(Runtime.Interpreters, { find: () => Effect.succeed("/bin/sh") })
      )
    ),
    Layer.merge(request.layer)
  )
  return Effect.map(
    Effect.provide(
      Effect.forEach(all, ([tool, args]) => tool.call(JSON.parse(JSON.stringify(args)))),
      services
    ),
    (results) => ({ results, updates: request.progress(), last: results[results.length - 1] })
  )
}

type ToolServices = ButtonCatalogue.ButtonCatalogue | PressHistory.PressHistory | Press.Press | RequestContext

const text = (result: ToolResult | undefined): string => {
  const [block] = result?.content ?? []
  return block !== undefined && "text" in block ? block.text : ""
}

const fine: Run = () => Effect.succeed(exited(0, "shipped\n"))

describe("buttons_list", () => {
  it.effect("shows what opted in, and what is broken and not hidden", () =>
    Effect.gen(function* () {
      const { last } = yield* calls(fine, [ButtonTools.ButtonsList, {}])
      assert.deepStrictEqual(last?.structuredContent, {
        buttons: [
          { name: "checklist", description: "Button checklist" },
          {
            name: "deploy",
            description: "Button deploy",
            args: [
              { name: "env", type: "enum", required: true, values: ["staging", "prod"] },
              { name: "dry-run", type: "bool", required: false }
            ],
            tags: ["release"]
          }
        ],
        count: 2,
        errors: ["buttons/broken/button.json:3: is wrong"]
      })
      assert.strictEqual(text(last), JSON.stringify(last?.structuredContent, null, 2))
      assert.notInclude(text(last), "hunter2")
    })
  )
})

describe("buttons_press", () => {
  const press = (args: Record<string, unknown>) => [ButtonTools.buttonsPress(), args] as const

  // verifies: P-84
  it.effect("answers a press that ended well with the keys of the format", () =>
    Effect.gen(function* () {
      const { last } = yield* calls(fine, press({ name: "deploy", args: { env: "prod", "dry-run": true } }))
      assert.isUndefined(last?.isError)
      assert.deepStrictEqual(JSON.parse(text(last)), {
        button: "deploy",
        status: "ok",
        exit_code: 0,
        stdout: "shipped\n",
        stderr: "",
        duration_ms: 7
      })
    })
  )

  it.effect("answers a prompt with its text", () =>
    Effect.gen(function* () {
      const { last } = yield* calls(fine, press({ name: "checklist" }))
      assert.strictEqual(JSON.parse(text(last)).stdout, "1. Breathe.")
    })
  )

  // verifies: P-82, P-84
  it.effect("gives all there is to act on when a press ended badly, as text only", () =>
    Effect.gen(function* () {
      const failing: Run = () => Effect.succeed(exited(3, "half\n", "disk full\n"))
      const { last } = yield* calls(failing, press({ name: "deploy", args: { env: "prod" } }))
      assert.isTrue(last?.isError)
      assert.isUndefined(last?.structuredContent)
      assert.deepStrictEqual(JSON.parse(text(last)), {
        error: true,
        code: "SCRIPT_ERROR",
        message: "disk full",
        button: "deploy",
        reason: "exited",
        exit_code: 3,
        stdout: "half\n",
        stderr: "disk full\n",
        duration_ms: 7
      })
    })
  )

  it.effect("says how a silent press ended", () =>
    Effect.gen(function* () {
      const silent: Run = () => Effect.succeed({ ...exited(-1, ""), reason: "signalled", signal: "SIGSEGV" })
      const { last } = yield* calls(silent, press({ name: "deploy", args: { env: "prod" } }))
      assert.include(JSON.parse(text(last)).message, "SIGSEGV")
    })
  )

  it.effect.each([
    ["a name nobody has", { name: "nobody" }, "NOT_FOUND"],
    ["a button that did not opt in", { name: "hidden" }, "NOT_FOUND"],
    ["a broken button", { name: "broken" }, "VALIDATION_ERROR"],
    ["a missing argument", { name: "deploy" }, "MISSING_ARG"],
    ["an undeclared argument", { name: "deploy", args: { env: "prod", ENV: "evil" } }, "VALIDATION_ERROR"]
  ] as const)("refuses %s", ([, args, code]) =>
    Effect.gen(function* () {
      const { last } = yield* calls(() => Effect.die("must not run"), press(args))
      assert.isTrue(last?.isError)
      assert.deepInclude(JSON.parse(text(last)), { error: true, code, button: args.name })
    })
  )

  it.effect("describes its arguments, and passes over none of them", () =>
    Effect.gen(function* () {
      const tool = ButtonTools.buttonsPress()
      const { properties } = tool.definition.inputSchema
      assert.deepInclude(properties, {
        args: {
          type: "object",
          additionalProperties: { anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }] },
          description: "Its arguments by name."
        }
      })
      const args = JSON.parse('{"env":"prod","__proto__":"x"}')
      const { last } = yield* calls(() => Effect.die("must not run"), press({ name: "deploy", args }))
      assert.isTrue(last?.isError)
      assert.include(text(last), "args.__proto__: is unexpected")
    })
  )

  it.effect.each<[Record<string, unknown>, string]>([
    [{ name: "deploy", timeout: 1e300 }, "timeout: must be a whole number of seconds"],
    [{ name: "deploy", timeout: 1.5 }, "timeout: must be a whole number of seconds"],
    [{ name: "deploy", timeout: "5" }, "timeout: must be a whole number of seconds"],
    [{ name: 5 }, "name: must be a string"],
    [{ name: "deploy", args: [] }, "args: must be an object"],
    [{ name: "deploy", args: 5 }, "args: must be an object"],
    [{ name: "deploy", args: { env: {} } }, "args.env: must be a string, a number, true or false"]
  ])("says of %j what was expected, not what it is for", ([args, problem]) =>
    Effect.gen(function* () {
      const { last } = yield* calls(fine, press(args))
      assert.strictEqual(text(last), `Invalid arguments:\n- ${problem}`)
    })
  )

  it.effect("repeats little of what it was sent, however much that was", () =>
    Effect.gen(function* () {
      const much = (value: unknown) =>
        Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`a${index}`, value]))
      const names = ["x".repeat(1_000_000), "😀".repeat(500_000)]
      const requests: ReadonlyArray<Record<string, unknown>> = [
        ...names.map((name) => ({ name })),
        { name: "deploy", args: much("") },
        { name: "deploy", args: much({}) },
        { name: "deploy", args: { [names[0] ?? ""]: "" } },
        { name: "deploy", args: { [names[0] ?? ""]: {} } },
        { name: "deploy", args: { env: names[0] } }
      ]
      const { results } = yield* calls(fine, ...requests.map(press))
      for (const result of results) {
        assert.isTrue(result.isError)
        assert.isBelow(JSON.stringify(result).length, 4_000)
        assert.notMatch(text(result), /\\ud83d/)
      }
      const { last } = yield* calls(fine, [ButtonTools.ButtonsInspect, { name: names[0] }])
      assert.isBelow(JSON.stringify(last).length, 1_000)
      assert.isTrue(last?.isError)
    })
  )

  it.effect("passes the request's timeout on, but no more than agents may have", () =>
    Effect.gen(function* () {
      const limits: Array<number> = []
      const note: Run = ({ timeoutMillis }) =>
        Effect.as(
          Effect.sync(() => void limits.push(timeoutMillis)),
          exited(0, "")
        )
      const args = { name: "deploy", args: { env: "prod" } }
      yield* calls(note, press(args), press({ ...args, timeout: 5 }), press({ ...args, timeout: 500 }))
      assert.deepStrictEqual(limits, [30_000, 5_000, 120_000])
    })
  )

  it.effect("says when to try again to who presses too often", () =>
    Effect.gen(function* () {
      const one = press({ name: "deploy", args: { env: "prod" } })
      const { last } = yield* calls(fine, ...Array.from({ length: 11 }, () => one))
      assert.isTrue(last?.isError)
      assert.deepStrictEqual(JSON.parse(text(last)), {
        error: true,
        code: "RATE_LIMITED",
        message: 'Button "deploy" was pressed 10 times within 60 s; try again in 60 s',
        retry_after_ms: 60_000,
        button: "deploy"
      })
    })
  )

  it.effect("starts a press once under a key, and refuses the key for another one", () =>
    Effect.gen(function* () {
      let count = 0
      const counting: Run = () => Effect.sync(() => exited(0, `${++count}\n`))
      const keyed = (env: string, key: string) =>
        press({ name: "deploy", args: { env }, idempotency_key: key })
      const { results } = yield* calls(
        counting,
        keyed("prod", "k"),
        keyed("prod", "k"),
        keyed("staging", "k"),
        keyed("staging", "l"),
        keyed("staging", "")
      )
      const [first, again, other, fresh, empty] = results
      assert.deepInclude(first?.structuredContent, { stdout: "1\n" })
      assert.notProperty(first?.structuredContent, "replayed")
      assert.deepInclude(again?.structuredContent, { stdout: "1\n", replayed: true })
      assert.strictEqual(JSON.parse(text(other)).code, "KEY_CONFLICT")
      assert.deepInclude(fresh?.structuredContent, { stdout: "2\n" })
      assert.include(text(empty), "idempotency_key: must be a string of 1 to 256 characters")
    })
  )

  it.effect("reports a press's progress to the request, always rising", () =>
    Effect.gen(function* () {
      const lines: Run = ({ onProgressLine }) =>
        Effect.as(
          Effect.forEach(
            ['{"pct":0.5,"msg":"half"}', "plain words", '{"pct":1}'],
            (line) => onProgressLine?.(line) ?? Effect.void
          ),
          exited(0, "")
        )
      const { updates } = yield* calls(lines, press({ name: "deploy", args: { env: "prod" } }))
      assert.deepStrictEqual(
        updates.map((update) => JSON.parse(JSON.stringify(update)).message),
        ["half", "plain words", undefined]
      )
      const numbers = updates.map((update) => JSON.parse(JSON.stringify(update)).progress)
      assert.deepStrictEqual([numbers[0], numbers[2]], [0.5, 1])
    })
  )
})

describe("buttons_inspect", () => {
  it.effect("shows how the last runs ended, and neither environment nor output", () =>
    Effect.gen(function* () {
      const { last } = yield* calls(
        fine,
        [ButtonTools.buttonsPress(), { name: "deploy", args: { env: "prod" } }],
        [ButtonTools.ButtonsInspect, { name: "Deploy" }]
      )
      const shown = JSON.parse(text(last))
      assert.deepInclude(shown.button, { name: "deploy", runtime: "shell", timeout_seconds: 30 })
      assert.strictEqual(shown.recent_runs.length, 1)
      assert.deepInclude(shown.recent_runs[0], { status: "ok", exit_code: 0, duration_ms: 7 })
      for (const secret of ["hunter2", "shipped", 'prod"', "/data"]) {
        assert.notInclude(JSON.stringify(shown.recent_runs) + JSON.stringify(shown.button.env), secret)
      }
    })
  )

  it.effect.each(["hidden", "nobody"])("does not know %s", (name) =>
    Effect.gen(function* () {
      const { last } = yield* calls(fine, [ButtonTools.ButtonsInspect, { name }])
      assert.deepStrictEqual(JSON.parse(text(last)), {
        error: true,
        code: "NOT_FOUND",
        message: `There is no button "${name}"`,
        button: name
      })
    })
  )
})
