import { assert, describe, layer } from "@effect/vitest"
import * as Ask from "@pushbutton/server/Ask"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Prompt from "@pushbutton/server/Prompt"
import * as PromptMessage from "@pushbutton/server/PromptMessage"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import { accept, answering, call } from "./support/client.js"
import { ask, errorOf, resultOf, versions } from "./support/requests.js"

class Tone extends Context.Tag("test/Tone")<Tone, { readonly of: string }>() {}

class Offline extends Data.TaggedError("Offline")<{ readonly host: string }> {}

const Simple = Prompt.make("simple", {
  description: "Says it",
  handler: () => Effect.succeed("This is a simple prompt.")
})

const Review = Prompt.make("review", {
  title: "Review",
  description: "Reviews code",
  icons: [{ src: "https://example.com/i.png" }],
  meta: { "com.example/n": 1 },
  arguments: [
    { name: "code", title: "Code", description: "What to review", required: true },
    { name: "language" }
  ],
  handler: ({ code, language }) =>
    Effect.map(Tone, (tone) => [
      PromptMessage.user(`Review ${code} (${language ?? "any"}), ${tone.of}`),
      PromptMessage.assistant("Gladly.")
    ])
})

const Echo = Prompt.make("echo", {
  arguments: [{ name: "a" }],
  handler: (args) => Effect.succeed(JSON.stringify(args))
})

const Travel = Prompt.make("travel", {
  arguments: Schema.Struct({
    city: Schema.NonEmptyString.annotations({ description: "Where to" }),
    days: Schema.optional(Schema.NumberFromString.pipe(Schema.int())),
    class: Schema.optionalWith(Schema.Literal("first", "second"), { default: () => "second" })
  }),
  handler: ({ city, class: seat, days }) =>
    city === "Ys"
      ? new Prompt.InvalidArgument({ argument: "city", detail: "has drowned" })
      : Effect.succeed(
          PromptMessage.result(`${city} ${(days ?? 1) + 1} ${seat}`, {
            description: "A trip",
            meta: { "com.example/m": 0 }
          })
        )
})

const Media = Prompt.make("media", {
  handler: () =>
    Effect.succeed([
      PromptMessage.user({ type: "image", data: "AA==", mimeType: "image/png" }),
      PromptMessage.user({ type: "audio", data: "AAAA", mimeType: "audio/wav" }),
      PromptMessage.user({ type: "resource_link", uri: "file:///log", name: "log" }),
      PromptMessage.user({
        type: "resource",
        resource: { uri: "file:///a", text: "", mimeType: "text/plain" }
      })
    ])
})

const Throwing = Prompt.make("throwing", {
  arguments: Schema.Struct({
    x: Schema.optional(
      Schema.String.pipe(
        Schema.filter(() => {
          throw new Error("secret detail")
        })
      )
    )
  }),
  handler: () => Effect.succeed("")
})

const Fails = Prompt.make("fails", { handler: () => new Offline({ host: "db" }) })
const Dies = Prompt.make("dies", { handler: () => Effect.die("secret detail") })

const Asks = Prompt.make("asks", {
  handler: () =>
    Effect.map(
      Ask.form("user_context", { message: "Context?", schema: Schema.Struct({ context: Schema.String }) }),
      (outcome) => (outcome._tag === "Accepted" ? outcome.content.context : outcome._tag)
    )
})

const Server = McpServer.prompts(Simple, Review, Travel, Media, Fails, Dies, Asks, Throwing, Echo).pipe(
  Layer.provideMerge(McpServer.layer({ name: "test", version: "1", pageSize: 4 })),
  Layer.provide(Layer.succeed(Tone, { of: "kindly" })),
  Layer.provide(Logger.remove(Logger.defaultLogger))
)

const get = (name: string, args?: unknown) =>
  resultOf("2026-07-28", "prompts/get", args === undefined ? { name } : { name, arguments: args })

const refused = (name: unknown, args?: unknown) =>
  errorOf("2026-07-28", "prompts/get", args === undefined ? { name } : { name, arguments: args })

const text = (role: string, value: string) => ({ role, content: { type: "text", text: value } })

layer(Server)("Prompt", (it) => {
  describe("listing", () => {
    // verifies: PROM-02
    it.effect("lists prompts page by page, with hints", () =>
      Effect.gen(function* () {
        const first = yield* resultOf("2026-07-28", "prompts/list")
        assert.deepStrictEqual([first.ttlMs, first.cacheScope, first.prompts.length], [0, "private", 4])
        const second = yield* resultOf("2026-07-28", "prompts/list", { cursor: first.nextCursor })
        assert.deepStrictEqual(second.prompts, [
          { name: "fails" },
          { name: "dies" },
          { name: "asks" },
          { name: "throwing", arguments: [{ name: "x" }] }
        ])
        assert.strictEqual((yield* errorOf("2025-11-25", "prompts/list", { cursor: "" })).code, -32602)
      })
    )

    // verifies: PROM-06
    it.effect("lists a prompt with the members that the revision has", () =>
      Effect.gen(function* () {
        const plain = {
          name: "review",
          description: "Reviews code",
          arguments: [{ name: "code", description: "What to review", required: true }, { name: "language" }]
        }
        const titled = {
          ...plain,
          title: "Review",
          arguments: [
            { name: "code", title: "Code", description: "What to review", required: true },
            { name: "language" }
          ],
          _meta: { "com.example/n": 1 }
        }
        const full = { ...titled, icons: [{ src: "https://example.com/i.png" }] }
        const expected = {
          "2024-11-05": plain,
          "2025-03-26": plain,
          "2025-06-18": titled,
          "2025-11-25": full,
          "2026-07-28": full
        }
        for (const version of versions) {
          assert.deepStrictEqual((yield* resultOf(version, "prompts/list")).prompts[1], expected[version])
        }
      })
    )

    it.effect("lists the fields of a Schema, and which of them are required", () =>
      Effect.gen(function* () {
        const { prompts } = yield* resultOf("2026-07-28", "prompts/list")
        assert.deepStrictEqual(prompts[2].arguments, [
          { name: "city", description: "Where to", required: true },
          { name: "days", description: "an integer" },
          { name: "class" }
        ])
      })
    )

    // verifies: PROM-01, COMP-02, DISC-07, LC-17
    it.effect("announces prompts, and completion only where something can be completed", () =>
      Effect.gen(function* () {
        const { capabilities } = yield* resultOf("2026-07-28", "server/discover")
        assert.property(capabilities, "prompts")
        assert.notProperty(capabilities, "completions")
        const ref = { type: "ref/prompt", name: "review" }
        const answer = yield* ask("2026-07-28", "completion/complete", {
          ref,
          argument: { name: "code", value: "" }
        })
        assert.strictEqual(answer?.status, 404)
        assert.strictEqual((yield* errorOf("2025-11-25", "completion/complete", { ref })).code, -32601)
        assert.strictEqual((yield* errorOf("2025-11-25", "resources/list")).code, -32601)
      })
    )
  })

  describe("getting", () => {
    // verifies: PROM-08, CACHE-15
    it.effect("makes a user message of text, with the prompt's description and without hints", () =>
      Effect.gen(function* () {
        const { _meta, ...result } = yield* get("simple")
        assert.deepStrictEqual(result, {
          resultType: "complete",
          description: "Says it",
          messages: [text("user", "This is a simple prompt.")]
        })
        assert.deepStrictEqual(
          yield* resultOf("2024-11-05", "prompts/get", { name: "simple", arguments: {} }),
          {
            description: "Says it",
            messages: [text("user", "This is a simple prompt.")]
          }
        )
      })
    )

    // verifies: P-94
    it.effect("hands over its arguments and services, and leaves unknown arguments out", () =>
      Effect.gen(function* () {
        for (const [args, said] of [
          [{ code: "x" }, "Review x (any), kindly"],
          [{ code: "", language: "" }, "Review  (), kindly"]
        ] as const) {
          const { messages } = yield* get("review", args)
          assert.deepStrictEqual(messages, [text("user", said), text("assistant", "Gladly.")])
        }
        const { messages } = yield* get("echo", JSON.parse('{"other":"y","a":"","__proto__":"z"}'))
        assert.deepStrictEqual(messages, [text("user", '{"a":""}')])
      })
    )

    it.effect("decodes arguments by their Schema, defaults included", () =>
      Effect.gen(function* () {
        const { _meta, ...result } = yield* get("travel", { city: "Rome", days: "2" })
        assert.deepStrictEqual(result, {
          resultType: "complete",
          description: "A trip",
          messages: [text("user", "Rome 3 second")]
        })
        assert.strictEqual(_meta["com.example/m"], 0)
        assert.strictEqual(
          (yield* get("travel", { city: "R", class: "first" })).messages[0].content.text,
          "R 2 first"
        )
      })
    )

    // verifies: PROM-11, EN-02
    it.effect("converts what a revision has no content block for", () =>
      Effect.gen(function* () {
        const types = (result: { messages: ReadonlyArray<{ content: { type: string } }> }) =>
          result.messages.map(({ content }) => content.type)
        for (const version of ["2026-07-28", "2025-11-25", "2025-06-18"] as const) {
          assert.deepStrictEqual(types(yield* resultOf(version, "prompts/get", { name: "media" })), [
            "image",
            "audio",
            "resource_link",
            "resource"
          ])
        }
        const old = yield* resultOf("2024-11-05", "prompts/get", { name: "media" })
        assert.deepStrictEqual(types(old), ["image", "resource", "text", "resource"])
        assert.deepStrictEqual(old.messages[1].content.resource, {
          uri: "embedded:audio/1",
          mimeType: "audio/wav",
          blob: "AAAA"
        })
      })
    )

    // verifies: PROM-12
    it.effect("lets a prompt ask the client", () =>
      Effect.gen(function* () {
        const options = { method: "prompts/get" }
        const asked = yield* call("asks", options)
        assert.strictEqual(asked.resultType, "input_required")
        const done = yield* call(
          "asks",
          answering(asked, { user_context: accept({ context: "test context" }) }, options)
        )
        assert.deepInclude(done.result, { messages: [text("user", "test context")] })
        assert.strictEqual(
          (yield* resultOf("2025-11-25", "prompts/get", { name: "asks" })).messages.length,
          1
        )
      })
    )
  })

  describe("refusing", () => {
    // verifies: PROM-13, PR-02
    it.effect("does not know what is not there", () =>
      Effect.gen(function* () {
        for (const version of versions) {
          for (const name of ["nope", "toString", ""]) {
            assert.deepStrictEqual(yield* errorOf(version, "prompts/get", { name }), {
              code: -32602,
              message: `Unknown prompt: ${name}`
            })
          }
        }
        assert.strictEqual((yield* ask("2026-07-28", "prompts/get", { name: "nope" }))?.status, 200)
        assert.strictEqual((yield* refused(1)).code, -32602)
      })
    )

    // verifies: PROM-14, PROM-15, P-94, PR-02
    it.effect("names the required arguments that are missing", () =>
      Effect.gen(function* () {
        for (const version of versions) {
          for (const params of [{ name: "review" }, { name: "review", arguments: { language: "ts" } }]) {
            assert.deepStrictEqual(yield* errorOf(version, "prompts/get", params), {
              code: -32602,
              message: "Missing required argument: code"
            })
          }
        }
        assert.strictEqual((yield* refused("travel")).message, "Missing required argument: city")
      })
    )

    // verifies: PROM-07
    it.effect("refuses values of other types and shapes", () =>
      Effect.gen(function* () {
        assert.strictEqual(
          (yield* refused("review", { code: 1 })).message,
          "params.arguments.code must be a string"
        )
        for (const args of [null, [], "x"]) {
          assert.deepInclude(yield* refused("simple", args), {
            code: -32602,
            message: "params.arguments must be an object"
          })
        }
      })
    )

    it.effect("says what is wrong with a value, in bounded length", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* refused("travel", { city: "R", days: "x", class: "third" }), {
          code: -32602,
          message:
            'Invalid arguments: days: Unable to decode "x" into a number; class: Expected "first", actual "third"; class: Expected "second", actual "third"'
        })
        const long = yield* refused("travel", { city: "R", days: "x".repeat(10_000) })
        assert.isAtMost(long.message.length, 400)
        assert.deepStrictEqual(yield* refused("travel", { city: "Ys" }), {
          code: -32602,
          message: "Invalid argument city: has drowned"
        })
      })
    )

    it.effect("tells of a typed failure what it says, and nothing of a defect", () =>
      Effect.gen(function* () {
        for (const version of versions) {
          assert.deepStrictEqual(yield* errorOf(version, "prompts/get", { name: "fails" }), {
            code: -32603,
            message: "Offline (host: db)"
          })
          assert.deepStrictEqual(yield* errorOf(version, "prompts/get", { name: "dies" }), {
            code: -32603,
            message: "Internal error"
          })
        }
        const { message } = yield* refused("throwing", { x: "" })
        assert.strictEqual(message, "Internal error")
      })
    )
  })
})
