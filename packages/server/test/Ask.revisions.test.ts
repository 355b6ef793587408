/** Asks in the sessions of handshake revisions: what can be asked of whom. */
import { assert, describe, it } from "@effect/vitest"
import type { LegacyVersion } from "@pushbutton/protocol/ProtocolVersion"
import * as Ask from "@pushbutton/server/Ask"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { withHandler } from "./support/asking.js"
import { accept } from "./support/client.js"
import { connect } from "./support/legacyClient.js"

const form = (key: string) => Ask.form(key, { message: key, schema: Schema.Struct({ name: Schema.String }) })

const show = (outcome: unknown) => JSON.stringify(outcome)

const named = (name: string) => ({ result: accept({ name }) })

const asks: Readonly<Record<Feature, Ask.Ask<unknown>>> = {
  form: form("k"),
  url: Ask.url("k", { message: "Sign in", url: "https://example.com/" }),
  sampling: Ask.sample("k", {
    messages: [{ role: "user", content: { type: "text", text: "Hi" } }],
    maxTokens: 10
  }),
  "sampling.tools": Ask.sample("k", { messages: [], maxTokens: 10, tools: [] }),
  roots: Ask.roots("k")
}

const features = ["form", "url", "sampling", "sampling.tools", "roots"] as const

type Feature = (typeof features)[number]

/** The requests that each revision has for a client that declares everything. */
const known: Readonly<Record<LegacyVersion, ReadonlyArray<Feature>>> = {
  "2024-11-05": ["sampling", "roots"],
  "2025-03-26": ["sampling", "roots"],
  "2025-06-18": ["form", "sampling", "roots"],
  "2025-11-25": ["form", "url", "sampling", "sampling.tools", "roots"]
}

const versions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const

const methods = {
  form: "elicitation/create",
  url: "elicitation/create",
  sampling: "sampling/createMessage",
  "sampling.tools": "sampling/createMessage",
  roots: "roots/list"
} as const

const result = {
  form: accept({ name: "x" }),
  url: accept(),
  sampling: { role: "assistant", content: { type: "text", text: "Hi" }, model: "m" },
  "sampling.tools": { role: "assistant", content: { type: "text", text: "Hi" }, model: "m" },
  roots: { roots: [] }
} as const

describe("what can be asked", () => {
  for (const version of versions) {
    for (const feature of features) {
      const isKnown = known[version].includes(feature)
      const handler = Effect.map(
        Effect.zip(Ask.supports(feature), asks[feature]),
        ([supported, { _tag }]) => `${supported} ${_tag}`
      )
      // verifies: IN-01, IN-13, IN-14, IN-50, IN-51, IN-52, IN-53, IN-54, EL-01, SA-06
      it.effect(`${isKnown ? "includes" : "does not include"} ${feature} in ${version}`, () =>
        withHandler(
          handler,
          Effect.gen(function* () {
            const client = yield* connect(version, { user: () => ({ result: result[feature] }) })
            const reply = yield* client.call("t")
            assert.strictEqual(reply?.text, isKnown ? "true Accepted" : "false Unavailable")
            assert.deepStrictEqual(
              client.asked().map(({ method }) => method),
              isKnown ? [methods[feature]] : []
            )
          })
        )
      )

      // verifies: IN-12, SA-01, EL-02, RO-01
      it.effect(`does not include ${feature} in ${version} for a client that declares nothing`, () =>
        withHandler(
          handler,
          Effect.gen(function* () {
            const client = yield* connect(version, { capabilities: {} })
            assert.strictEqual((yield* client.call("t"))?.text, "false Unavailable")
            assert.deepStrictEqual(client.sent, [])
          })
        )
      )
    }
  }

  const readings: ReadonlyArray<readonly [LegacyVersion, object, boolean, boolean]> = [
    ["2025-11-25", {}, true, false],
    ["2025-11-25", { url: {} }, false, true],
    ["2025-11-25", { form: {} }, true, false],
    ["2025-06-18", {}, true, false],
    ["2025-06-18", { url: {} }, true, false]
  ]
  for (const [version, elicitation, hasForms, hasPages] of readings) {
    // verifies: EL-05, TRAP-31
    it.effect(`reads elicitation ${show(elicitation)} as ${version} means it`, () =>
      withHandler(
        Effect.map(Effect.zip(Ask.supports("form"), Ask.supports("url")), show),
        Effect.gen(function* () {
          const client = yield* connect(version, {
            capabilities: { elicitation: JSON.parse(show(elicitation)) }
          })
          assert.strictEqual((yield* client.call("t"))?.text, show([hasForms, hasPages]))
        })
      )
    )
  }

  // verifies: TRAP-29, EL-04
  it.effect("is asked in the words of its revision, and read in the handler's", () => {
    const Where = Schema.Struct({
      zones: Schema.Array(Schema.Literal("a", "b")),
      count: Schema.Int.annotations({ default: 2 })
    })
    return withHandler(
      Effect.map(Ask.form("where", { message: "Where?", schema: Where }), show),
      Effect.gen(function* () {
        const client = yield* connect("2025-06-18", {
          user: ({ params }) => {
            const { properties } = params.requestedSchema
            const filled = Object.entries(properties).map(([name, field]) => [
              name,
              show(field).includes("boolean") ? name.endsWith("b") : 3
            ])
            return { result: accept(Object.fromEntries(filled)) }
          }
        })
        const reply = yield* client.call("t")
        assert.strictEqual(reply?.text, show({ _tag: "Accepted", content: { zones: ["b"], count: 3 } }))
        const sent = show(client.asked())
        assert.notInclude(sent, '"array"')
        assert.notInclude(sent, '"mode"')
      })
    )
  })

  // verifies: IN-12, IN-14
  it.effect("is looked at for all of a round before any of it goes out", () =>
    withHandler(
      Effect.map(Ask.all({ folders: Ask.roots("r"), name: form("a") }), show),
      Effect.gen(function* () {
        const client = yield* connect("2025-06-18", { capabilities: { roots: {} } })
        assert.deepStrictEqual(JSON.parse((yield* client.call("t"))?.text ?? ""), {
          folders: {
            _tag: "Unavailable",
            reason: "what is asked with it cannot be asked: the client does not declare elicitation of forms"
          },
          name: { _tag: "Unavailable", reason: "the client does not declare elicitation of forms" }
        })
        assert.deepStrictEqual(client.sent, [])
      })
    )
  )
})

describe("a question that cannot be asked", () => {
  const needsName = Effect.map(Ask.orFail(form("a")), ({ name }) => name)
  const why = "The user could not be asked: the client does not declare elicitation of forms"
  const requests = {
    "tools/call": { name: "t" },
    "prompts/get": { name: "p" },
    "resources/read": { uri: "test://r" }
  }

  for (const [method, params] of Object.entries(requests)) {
    // verifies: IN-10, IN-13
    it.effect(`ends ${method} in words, if the answer is needed`, () =>
      withHandler(
        needsName,
        Effect.gen(function* () {
          const client = yield* connect("2025-06-18", { capabilities: { sampling: {} } })
          const { reply } = yield* client.start(method, params)
          const { error, isError, status, text } = (yield* reply) ?? {}
          assert.strictEqual(status, 200)
          assert.deepStrictEqual(
            method === "tools/call" ? { text, isError } : error,
            method === "tools/call" ? { text: why, isError: true } : { code: -32603, message: why }
          )
          assert.deepStrictEqual(client.sent, [])
        })
      )
    )

    // verifies: IN-10
    it.effect(`can be asked in ${method} otherwise`, () =>
      withHandler(
        needsName,
        Effect.gen(function* () {
          const client = yield* connect("2025-06-18", { user: () => named("Ada") })
          const { reply } = yield* client.start(method, params)
          assert.include(show((yield* reply)?.result), "Ada")
        })
      )
    )
  }

  for (const stream of ["none", "sessionless"] as const) {
    for (const feature of features) {
      // verifies: IN-07, IN-18, TRAP-25
      it.effect(`is unavailable at once, ${feature} too, with ${stream} stream to ask on`, () =>
        withHandler(
          Effect.map(Effect.zip(Ask.supports(feature), asks[feature]), ([supported, { _tag }]) =>
            show([supported, _tag])
          ),
          Effect.gen(function* () {
            const client = yield* connect("2025-06-18", { stream })
            assert.strictEqual((yield* client.call("t"))?.text, show([false, "Unavailable"]))
            assert.deepStrictEqual(client.sent, [])
          })
        )
      )
    }
  }
})
