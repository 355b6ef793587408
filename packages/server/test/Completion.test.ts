import { assert, layer } from "@effect/vitest"
import * as Ask from "@pushbutton/server/Ask"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Prompt from "@pushbutton/server/Prompt"
import { RequestContext } from "@pushbutton/server/RequestContext"
import * as Resource from "@pushbutton/server/Resource"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import { ask, errorOf, resultOf, versions } from "./support/requests.js"

class Cities extends Context.Tag("test/Cities")<
  Cities,
  { readonly in: (country: string | undefined) => ReadonlyArray<string> }
>() {}

const Travel = Prompt.make("travel", {
  arguments: [
    { name: "country" },
    { name: "city", required: true },
    { name: "number" },
    { name: "broken" },
    { name: "dead" },
    { name: "asking" }
  ],
  complete: {
    city: (value, given) =>
      Effect.map(Cities, (cities) => cities.in(given["country"]).filter((city) => city.startsWith(value))),
    number: () => Effect.succeed(Array.from({ length: 250 }, (_, index) => String(index))),
    broken: () => Effect.fail("The list of cities is away."),
    dead: () => Effect.die("secret detail"),
    asking: () =>
      Effect.flatMap(RequestContext, ({ method }) =>
        Effect.map(
          Ask.form("a", { message: "?", schema: Schema.Struct({ a: Schema.String }) }),
          (outcome) => [method, outcome._tag]
        )
      )
  },
  handler: ({ city }) => Effect.succeed(city)
})

const Typed = Prompt.make("typed", {
  arguments: Schema.Struct({ size: Schema.NumberFromString }),
  complete: { size: () => Effect.succeed(["1", "2"]) },
  handler: ({ size }) => Effect.succeed(String(size + 1))
})

const Weather = Resource.template("weather://{city}/{day}{?units}", {
  name: "weather",
  complete: {
    city: (value) =>
      Effect.map(Cities, (cities) => cities.in(undefined).filter((city) => city.includes(value))),
    units: () => Effect.succeed(["metric"])
  },
  handler: ({ city, day }) => Effect.succeed(`${city} ${day}`)
})

const Fixed = Resource.make("weather://here/now", { name: "here", handler: () => Effect.succeed("rain") })

const Server = Layer.mergeAll(McpServer.prompts(Travel, Typed), McpServer.resources(Weather, Fixed)).pipe(
  Layer.provideMerge(McpServer.layer({ name: "test", version: "1" })),
  Layer.provide(
    Layer.succeed(Cities, { in: (country) => (country === "it" ? ["Rome"] : ["Rome", "Riga", "Oslo"]) })
  ),
  Layer.provide(Logger.remove(Logger.defaultLogger))
)

const prompt = { type: "ref/prompt", name: "travel" }
const template = { type: "ref/resource", uri: "weather://{city}/{day}{?units}" }

const params = (ref: object, name: string, value = "", given?: object) => ({
  ref,
  argument: { name, value },
  ...(given === undefined ? {} : { context: { arguments: given } })
})

const completed = (...args: Parameters<typeof params>) =>
  Effect.map(resultOf("2026-07-28", "completion/complete", params(...args)), ({ completion }) => completion)

const refused = (...args: Parameters<typeof params>) =>
  errorOf("2026-07-28", "completion/complete", params(...args))

layer(Server)("Completion", (it) => {
  // verifies: COMP-01, DISC-06, CO-02, LC-18, LC-19, EN-25
  it.effect("is announced where something can be completed and the revision has a word for it", () =>
    Effect.gen(function* () {
      const { capabilities } = yield* resultOf("2026-07-28", "server/discover")
      assert.deepStrictEqual(capabilities.completions, {})
    })
  )

  // verifies: CO-01, LC-18
  it.effect("suggests values for a prompt's argument in every revision", () =>
    Effect.gen(function* () {
      for (const version of versions) {
        const {
          _meta,
          resultType: _,
          ...result
        } = yield* resultOf(version, "completion/complete", params(prompt, "city", "R"))
        assert.deepStrictEqual(result, { completion: { values: ["Rome", "Riga"], total: 2, hasMore: false } })
      }
      assert.deepStrictEqual(yield* completed({ type: "ref/prompt", name: "typed", title: "x" }, "size"), {
        values: ["1", "2"],
        total: 2,
        hasMore: false
      })
    })
  )

  // verifies: COMP-11, CO-04, EN-62
  it.effect("knows the arguments that are filled in, where the revision has them", () =>
    Effect.gen(function* () {
      const given = params(prompt, "city", "R", { country: "it" })
      for (const version of ["2026-07-28", "2025-11-25", "2025-06-18"] as const) {
        const { completion } = yield* resultOf(version, "completion/complete", given)
        assert.deepStrictEqual(completion.values, ["Rome"])
      }
      const old = yield* resultOf("2024-11-05", "completion/complete", given)
      assert.deepStrictEqual(old.completion.values, ["Rome", "Riga"])
    })
  )

  // verifies: COMP-05, CO-01
  it.effect("sends a hundred values at most, and how many there are", () =>
    Effect.gen(function* () {
      const { hasMore, total, values } = yield* completed(prompt, "number")
      assert.deepStrictEqual([values.length, values[99], total, hasMore], [100, "99", 250, true])
    })
  )

  // verifies: COMP-04, RES-25
  it.effect("suggests values for a variable, by the template or by a URI that it matches", () =>
    Effect.gen(function* () {
      for (const uri of [template.uri, "weather://x/y", "WEATHER://x/y?units="]) {
        assert.deepStrictEqual((yield* completed({ type: "ref/resource", uri }, "city", "i")).values, [
          "Riga"
        ])
      }
      assert.deepStrictEqual((yield* completed(template, "units")).values, ["metric"])
    })
  )

  it.effect("has no suggestions for an argument without a completer", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* completed(prompt, "country"), { values: [], total: 0, hasMore: false })
      assert.deepStrictEqual((yield* completed(template, "day")).values, [])
    })
  )

  // verifies: MRTR-03, IN-10
  it.effect("does not ask the client", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* completed(prompt, "asking")).values, [
        "completion/complete",
        "Unavailable"
      ])
    })
  )

  // verifies: COMP-06, COMP-08, CO-03
  it.effect("refuses what names nothing", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* refused({ type: "ref/prompt", name: "nope" }, "city"), {
        code: -32602,
        message: "Unknown prompt: nope"
      })
      for (const uri of ["other://{id}", "other://x", "", "weather://{city}"]) {
        assert.deepStrictEqual(yield* refused({ type: "ref/resource", uri }, "city"), {
          code: -32602,
          message: "params.ref.uri names no resource template"
        })
      }
      for (const [ref, name] of [
        [prompt, "nope"],
        [prompt, "__proto__"],
        [template, "code"],
        [{ type: "ref/resource", uri: "weather://here/now" }, "city"]
      ] as const) {
        assert.deepStrictEqual(yield* refused(ref, name), {
          code: -32602,
          message: "params.argument.name names no argument"
        })
      }
      for (const version of versions) {
        assert.strictEqual((yield* errorOf(version, "completion/complete", {})).code, -32602)
      }
    })
  )

  it.effect("tells of a typed failure what it says, and nothing of a defect", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* refused(prompt, "broken"), {
        code: -32603,
        message: "The list of cities is away."
      })
      assert.deepStrictEqual(yield* refused(prompt, "dead"), { code: -32603, message: "Internal error" })
      assert.strictEqual(
        (yield* ask("2026-07-28", "completion/complete", params(prompt, "dead")))?.status,
        200
      )
    })
  )
})
