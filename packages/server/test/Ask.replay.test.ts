/** Handlers that run again with each round, in a legacy session; and random ones, in each way of asking. */
import { assert, describe, it } from "@effect/vitest"
import * as Ask from "@pushbutton/server/Ask"
import * as Step from "@pushbutton/server/Step"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import { type Handler, withHandler } from "./support/asking.js"
import { type User, ways } from "./support/askWays.js"
import { accept } from "./support/client.js"
import { connect } from "./support/legacyClient.js"

const form = (key: string) => Ask.form(key, { message: key, schema: Schema.Struct({ name: Schema.String }) })

const show = (outcome: Ask.Outcome<{ readonly name: string }>): string =>
  outcome._tag === "Accepted" ? outcome.content.name : outcome._tag

const replay = { legacyAsks: { handlers: "replay" } } as const

describe("a handler that runs again in a legacy session", () => {
  it.effect("may wait for its client longer than a state lasts", () =>
    withHandler(
      Effect.map(form("a"), show),
      Effect.gen(function* () {
        const client = yield* connect("2025-06-18")
        const { reply } = yield* client.start("tools/call", { name: "t" })
        yield* client.askedTimes(1)
        yield* TestClock.adjust("9 minutes")
        client.respond(client.asked()[0]?.id ?? "", { result: accept({ name: "x" }) })
        assert.strictEqual((yield* reply)?.text, "x")
      }),
      { ...replay, requestState: { ttl: "1 minute", singleUse: true } }
    )
  )

  // verifies: IN-19
  it.effect("has its answers and steps carried by a state that is bounded as on 2026-07-28", () =>
    withHandler(
      Effect.map(Effect.zip(form("a"), form("b")), () => "done"),
      Effect.gen(function* () {
        const user = () => ({ result: accept({ name: "x".repeat(1000) }) })
        const client = yield* connect("2025-06-18", { user })
        const reply = yield* client.call("t")
        assert.strictEqual(reply?.error?.code, -32602)
        assert.include(reply?.error?.message, "too large to carry")
      }),
      { ...replay, requestState: { maxLength: 1000 } }
    )
  )

  it.effect("asks nothing any more when its call is cancelled while it is left", () =>
    Effect.gen(function* () {
      const leaving = yield* Deferred.make<void>()
      const mayLeave = yield* Deferred.make<void>()
      const slow = Effect.ensuring(
        form("a"),
        Effect.zipRight(Deferred.succeed(leaving, undefined), Deferred.await(mayLeave))
      )
      yield* withHandler(
        Effect.map(slow, show),
        Effect.gen(function* () {
          const client = yield* connect("2025-06-18")
          const { cancel, reply } = yield* client.start("tools/call", { name: "t" })
          yield* Deferred.await(leaving)
          yield* cancel
          yield* Deferred.succeed(mayLeave, undefined)
          assert.isUndefined(yield* reply)
          assert.deepStrictEqual(client.sent, [])
          assert.strictEqual(client.session.requests.size, 0)
        }),
        replay
      )
    })
  )
})

describe("a handler that waits in a legacy session", () => {
  it.effect("takes back a question that it does not wait for any longer", () =>
    withHandler(
      Effect.zipWith(Effect.timeoutOption(form("a"), "1 minute"), form("b"), ({ _tag }, b) => _tag + show(b)),
      Effect.gen(function* () {
        const client = yield* connect("2025-06-18")
        const { reply } = yield* client.start("tools/call", { name: "t" })
        yield* client.askedTimes(1)
        yield* TestClock.adjust("1 minute")
        yield* client.askedTimes(2)
        client.respond(client.asked()[1]?.id ?? "", { result: accept({ name: "b" }) })
        assert.strictEqual((yield* reply)?.text, "Noneb")
        assert.deepStrictEqual(
          client.sent.map(({ method }) => method),
          ["elicitation/create", "notifications/cancelled", "elicitation/create"]
        )
      })
    )
  )
})

/** What a handler does, one after the other. */
type Deed =
  | { readonly ask: ReadonlyArray<string> }
  | { readonly step: string }
  /** The next deeds are left out unless this question was accepted. */
  | { readonly needs: string }

const key = fc.constantFrom("a", "b", "c", "d")
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ ask: fc.array(key, { minLength: 1, maxLength: 3 }) }),
  fc.record({ step: key }),
  fc.record({ needs: key })
)

const handlerOf = (deeds: ReadonlyArray<Deed>, ran: Array<string>): Handler =>
  Effect.gen(function* () {
    const told: Array<string> = []
    for (const one of deeds) {
      if ("ask" in one) {
        const found = yield* Ask.all(Object.fromEntries(one.ask.map((name) => [name, form(name)])))
        told.push(
          Object.entries(found)
            .map(([name, outcome]) => `${name}=${show(outcome)}`)
            .join(" ")
        )
      } else if ("step" in one) {
        const run = Effect.sync(() => ran.push(one.step))
        told.push(`${one.step}#${yield* Step.once(one.step, run, Schema.Number)}`)
      } else if ((yield* form(one.needs))._tag !== "Accepted") break
    }
    return told.join(", ")
  })

const manner = fc.constantFrom("accept", "decline", "cancel", "late")

/** Each question has its way of being answered; a late one is answered at the second time. */
const userOf = (manners: Readonly<Record<string, string>>): User => {
  const asked = new Set<string>()
  return ({ message }) => {
    const isFirst = !asked.has(message)
    asked.add(message)
    const action = manners[message] ?? "accept"
    if (action === "late") return isFirst ? accept({}) : accept({ name: message })
    return action === "accept" ? accept({ name: message }) : { action }
  }
}

// verifies: IN-15, IN-40, IN-44
it.effect.prop(
  "whatever a handler asks, it is told and has done the same in each way of asking",
  [fc.array(deed, { maxLength: 6 }), fc.dictionary(key, manner)],
  ([deeds, manners]) =>
    Effect.gen(function* () {
      const seen = yield* Effect.forEach(ways, (way) =>
        Effect.gen(function* () {
          const ran: Array<string> = []
          const { questions, text } = yield* way.converse(handlerOf(deeds, ran), userOf(manners))
          return { text, ran, questions: [...questions].sort() }
        })
      )
      for (const each of seen) assert.deepStrictEqual(each, seen[0])
    }),
  { fastCheck: { numRuns: 40 } }
)
