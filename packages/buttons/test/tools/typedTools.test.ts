/** One tool for each button: what clients see of it, and what it answers. */
import { assert, describe, it } from "@effect/vitest"
import type { PressOutcome, PressSpec } from "@pushbutton/buttons/PressRunner"
import * as OutputSchema from "@pushbutton/server/OutputSchema"
import * as Effect from "effect/Effect"
import * as Conversation from "../support/conversation.js"
import { button } from "../support/definitions.js"
import { exited, server } from "../support/served.js"

const deploy = button("deploy", {
  description: "Ships it",
  tags: ["release", "prod"],
  mcp_enabled: true,
  args: [
    { name: "env", type: "enum", required: true, values: ["staging", "prod"] },
    { name: "count", type: "int", required: false },
    { name: "dry-run", type: "bool", required: true },
    { name: "the note", type: "string", required: false }
  ]
})
const bare = button("bare", { mcp_enabled: true })
const hidden = button("hidden")

const serving = (
  buttons: ReadonlyArray<ReturnType<typeof button>>,
  outcome: PressOutcome,
  started: Array<PressSpec> = []
) =>
  server(
    buttons,
    (spec) =>
      Effect.as(
        Effect.sync(() => void started.push(spec)),
        outcome
      ),
    { mode: "tools", outputs: OutputSchema.validator }
  )

const withClient = <A>(
  layer: ReturnType<typeof serving>,
  use: (client: Effect.Effect.Success<typeof Conversation.client>) => Effect.Effect<A>
) => Effect.scoped(Effect.provide(Effect.flatMap(Conversation.client, use), layer))

const press = (args: object, outcome: PressOutcome = exited("done\n"), one = deploy) => {
  const started: Array<PressSpec> = []
  return Effect.map(
    withClient(serving([one], outcome, started), (client) => client.call(one.slug, args)),
    (reply) => ({ reply, env: started[0]?.env })
  )
}

describe("a tool for each button", () => {
  it.effect("describes what the button takes, so that nothing else is sent", () =>
    withClient(serving([deploy, bare, hidden], exited("")), (client) =>
      Effect.gen(function* () {
        const tools = yield* client.tools
        assert.deepStrictEqual(
          tools.map(({ name }) => name),
          ["buttons_inspect", "bare", "deploy"]
        )
        const [, second, third] = tools
        assert.deepStrictEqual(second?.["inputSchema"], { type: "object", additionalProperties: false })
        assert.strictEqual(second?.["description"], 'Presses the button "bare".')
        assert.strictEqual(third?.["description"], "Ships it\n\nTags: release, prod")
        assert.deepStrictEqual(third?.["inputSchema"], {
          type: "object",
          properties: {
            env: { type: "string", enum: ["staging", "prod"] },
            count: { type: "integer" },
            "dry-run": { type: "boolean" },
            arg_4: { type: "string", description: 'The argument "the note".' }
          },
          required: ["env", "dry-run"],
          additionalProperties: false
        })
        assert.deepInclude(third?.["annotations"], { destructiveHint: true, openWorldHint: true })
      })
    )
  )

  it.effect("presses the button with what it is given, and answers as buttons_press does", () =>
    Effect.gen(function* () {
      const { env, reply } = yield* press({ env: "prod", "dry-run": true, count: 3, arg_4: "x y" })
      const { BUTTONS_ARG_COUNT, BUTTONS_ARG_DRY_RUN, BUTTONS_ARG_ENV } = env ?? {}
      assert.deepStrictEqual([BUTTONS_ARG_ENV, BUTTONS_ARG_DRY_RUN, BUTTONS_ARG_COUNT], ["prod", "true", "3"])
      assert.strictEqual(env?.["BUTTONS_ARG_THE NOTE"], "x y")
      const { structuredContent } = reply
      assert.deepStrictEqual(structuredContent, {
        button: "deploy",
        status: "ok",
        exit_code: 0,
        stdout: "done\n",
        stderr: "",
        duration_ms: 7
      })
      assert.deepStrictEqual(Conversation.said(reply), structuredContent)
    })
  )

  it.effect.each([
    [{ env: "prod" }, "MISSING_ARG"],
    [{ env: "nowhere", "dry-run": true }, "VALIDATION_ERROR"],
    [{ env: "prod", "dry-run": true, other: 1 }, "VALIDATION_ERROR"]
  ] as const)("refuses %j with %s", ([args, code]) =>
    Effect.gen(function* () {
      const { env, reply } = yield* press(args)
      assert.isTrue(reply["isError"])
      assert.deepInclude(Conversation.said(reply), { error: true, code, button: "deploy" })
      assert.isUndefined(env)
    })
  )

  it.effect("asks for what is missing, under the name of the argument", () =>
    withClient(serving([deploy], exited("")), (client) =>
      Effect.gen(function* () {
        const reply = yield* client.call("deploy", { env: "prod" }, { capabilities: Conversation.asks })
        assert.strictEqual(reply["resultType"], "input_required")
        assert.include(JSON.stringify(reply["inputRequests"]), "dry-run")
      })
    )
  )

  it.effect("has a name of at most 64 characters, and no other button has it", () => {
    const long = "a".repeat(70)
    const names = [`${long}-one`, `${long}-two`, "a".repeat(64)]
    const buttons = names.map((name) => button(name, { mcp_enabled: true }))
    return withClient(serving(buttons, exited("pressed")), (client) =>
      Effect.gen(function* () {
        const listed = (yield* client.tools).map(({ name }) => String(name)).slice(1)
        assert.strictEqual(new Set(listed).size, 3)
        for (const name of listed) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
        assert.include(listed, "a".repeat(64))
        const pressed = yield* Effect.forEach(listed, (name) => client.call(name, {}))
        assert.sameMembers(
          pressed.map((reply) => Conversation.said(reply).button),
          names
        )
      })
    )
  })
})

const outputSchema = {
  type: "object",
  properties: { ids: { type: "array", items: { type: "integer" } } },
  required: ["ids"]
}
const emitting = button("emit", { mcp_enabled: true, output_schema: outputSchema })

describe("a button with an output schema", () => {
  it.effect("answers with the value that its output is", () =>
    Effect.gen(function* () {
      const text = '{"ids":[1,2]}\n'
      const { reply } = yield* press({}, exited(text), emitting)
      assert.deepStrictEqual(reply["structuredContent"], { ids: [1, 2] })
      assert.strictEqual(Conversation.textOf(reply), text)
      const tools = yield* withClient(serving([emitting], exited("")), (client) => client.tools)
      assert.deepStrictEqual(tools[1]?.["outputSchema"], outputSchema)
    })
  )

  it.effect.each([
    ["nothing", "", "it is not JSON"],
    ["words", "two ids", "it is not JSON"],
    ["another value", '{"ids":["1"]}', "ids"],
    ["a number beyond all numbers", '{"ids":[1,1e400]}', "a number that is too large"],
    ["lists in lists", `{"ids":${"[".repeat(9_000)}${"]".repeat(9_000)}}`, "nested deeper than 120 levels"]
  ] as const)("says that it ended well but said %s", ([, stdout, words]) =>
    Effect.gen(function* () {
      const { reply } = yield* press({}, exited(stdout), emitting)
      assert.isTrue(reply["isError"])
      assert.isUndefined(reply["structuredContent"])
      const said = Conversation.said(reply)
      assert.deepInclude(said, { code: "OUTPUT_INVALID", button: "emit", exit_code: 0, stdout })
      assert.include(said.message, "ended well")
      assert.include(said.message, words)
    })
  )

  it.effect("answers with a value of as many levels as a message has room for", () =>
    Effect.gen(function* () {
      const text = `${"[".repeat(120)}${"]".repeat(120)}`
      const deep = button("deep", { mcp_enabled: true, output_schema: { type: "array" } })
      const { reply } = yield* press({}, exited(text), deep)
      assert.strictEqual(JSON.stringify(reply["structuredContent"]), text)
    })
  )

  it.effect("tells of a failure as any other button", () =>
    Effect.gen(function* () {
      const { reply } = yield* press({}, exited('{"ids":[1]}', 3), emitting)
      assert.deepInclude(Conversation.said(reply), { code: "SCRIPT_ERROR", exit_code: 3 })
    })
  )

  it.effect.each([
    ["of no known dialect", { $schema: "https://json-schema.org/draft-04/schema" }],
    ["with a reference that leads out", { $ref: "https://example.com/schema.json" }],
    ["that is none", { type: "objekt" }]
  ])("answers as any other when no tool can have it: one %s", ([, schema]) =>
    Effect.gen(function* () {
      const odd = button("odd", { mcp_enabled: true, output_schema: schema })
      const { reply } = yield* press({}, exited("words"), odd)
      assert.deepInclude(reply["structuredContent"], { button: "odd", status: "ok", stdout: "words" })
    })
  )

  it.effect("takes an idempotency key from _meta, and no other value", () => {
    const started: Array<PressSpec> = []
    return withClient(serving([bare], exited("done"), started), (client) =>
      Effect.gen(function* () {
        const call = (key: unknown) =>
          Effect.map(
            client.call("bare", {}, { meta: { "pushbutton/idempotency_key": key } }),
            Conversation.said
          )
        assert.isUndefined((yield* call("k")).replayed)
        assert.isTrue((yield* call("k")).replayed)
        assert.isUndefined((yield* call("l")).replayed)
        for (const wrong of [1, "", "x".repeat(257)]) {
          assert.strictEqual((yield* call(wrong)).code, "VALIDATION_ERROR")
        }
        assert.lengthOf(started, 2)
      })
    )
  })
})
