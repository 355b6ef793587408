/** What a handler may rely on when it asks, whichever way its questions go out. */
import { assert, describe, it } from "@effect/vitest"
import * as Ask from "@pushbutton/server/Ask"
import * as Step from "@pushbutton/server/Step"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Conversation, legacyWays, type User, ways } from "./support/askWays.js"
import { accept } from "./support/client.js"

const form = (key: string) => Ask.form(key, { message: key, schema: Schema.Struct({ name: Schema.String }) })

const show = (outcome: Ask.Outcome<{ readonly name: string }>): string =>
  outcome._tag === "Accepted" ? outcome.content.name : outcome._tag

/** Answers each form with what it is called. */
const echo: User = ({ message }) => accept({ name: message })

const answered = (text: string, questions: ReadonlyArray<string>): Conversation => ({
  text,
  isError: false,
  code: undefined,
  questions
})

for (const way of ways) {
  describe(`asking in ${way.name}`, () => {
    // verifies: IN-15, IN-31, IN-40
    it.effect("gives the answer", () =>
      Effect.gen(function* () {
        const handler = Effect.map(form("a"), show)
        assert.deepStrictEqual(yield* way.converse(handler, echo), answered("a", ["a"]))
      })
    )

    // verifies: IN-15, P-70
    it.effect("tells a decline from a dismissal", () =>
      Effect.gen(function* () {
        const user: User = ({ message }) => ({ action: message === "a" ? "decline" : "cancel" })
        const handler = Effect.zipWith(form("a"), form("b"), (a, b) => `${show(a)} ${show(b)}`)
        assert.deepStrictEqual(yield* way.converse(handler, user), answered("Declined Cancelled", ["a", "b"]))
      })
    )

    // verifies: IN-05, IN-43
    it.effect("together takes each answer for its own question", () =>
      Effect.gen(function* () {
        const handler = Effect.map(
          Ask.all({ one: form("a"), other: form("b") }),
          ({ one, other }) => `${show(one)} ${show(other)}`
        )
        assert.deepStrictEqual(yield* way.converse(handler, echo), answered("a b", ["a", "b"]))
      })
    )

    // verifies: IN-11
    it.effect("twice under one key asks once", () =>
      Effect.gen(function* () {
        const handler = Effect.all([form("a"), form("b"), form("a"), Ask.all({ x: form("a"), y: form("a") })])
        assert.deepStrictEqual(
          yield* way.converse(
            Effect.map(handler, ([a, b, again, { x, y }]) => [a, b, again, x, y].map(show).join(" ")),
            echo
          ),
          answered("a b a a a", ["a", "b"])
        )
      })
    )

    it.effect("in fibers at work at once asks once under one key", () =>
      Effect.gen(function* () {
        const handler = Effect.all([form("a"), form("b"), form("a")], { concurrency: 3 })
        assert.deepStrictEqual(
          yield* way.converse(
            Effect.map(handler, (found) => found.map(show).join(" ")),
            echo
          ),
          answered("a b a", ["a", "b"])
        )
      })
    )

    // verifies: IN-41
    it.effect("something else under a key that is taken is an internal error", () =>
      Effect.gen(function* () {
        let runs = 0
        const changing = Effect.suspend(() => {
          const other = Ask.form("a", {
            message: `run ${++runs}`,
            schema: Schema.Struct({ name: Schema.String })
          })
          return Effect.zip(form("a"), other)
        })
        const { code, text } = yield* way.converse(Effect.map(changing, String), echo)
        assert.deepStrictEqual([code, text], [-32603, undefined])
      })
    )

    // verifies: IN-16, EL-14, DC-11
    it.effect("again what was answered with something that does not fit", () =>
      Effect.gen(function* () {
        const answers = [accept({ name: 3 }), { action: "maybe" }, accept(), accept({ name: "x" })]
        let at = 0
        const handler = Effect.map(form("a"), show)
        assert.deepStrictEqual(
          yield* way.converse(handler, () => answers[at++]),
          answered("x", ["a", "a", "a", "a"])
        )
      })
    )

    // verifies: IN-16
    it.effect("together asks again only what was not answered", () =>
      Effect.gen(function* () {
        let asked = 0
        const user: User = ({ message }) =>
          message === "b" && ++asked === 1 ? {} : accept({ name: message })
        const handler = Effect.map(Ask.all({ a: form("a"), b: form("b") }), ({ a, b }) => show(a) + show(b))
        assert.deepStrictEqual(yield* way.converse(handler, user), answered("ab", ["a", "b", "b"]))
      })
    )

    // verifies: IN-32, TRAP-24
    it.effect("keeps a step from running twice", () =>
      Effect.gen(function* () {
        let runs = 0
        let steps = 0
        const handler = Effect.gen(function* () {
          runs++
          const step = yield* Step.once(
            "s",
            Effect.sync(() => ++steps),
            Schema.Number
          )
          const a = yield* form("a")
          return `${step} ${show(a)} ${yield* Step.once(
            "s",
            Effect.sync(() => ++steps),
            Schema.Number
          )}`
        })
        assert.deepStrictEqual(yield* way.converse(handler, echo), answered("1 a 1", ["a"]))
        assert.strictEqual(steps, 1)
        // The code before an ask is not the step's: it shows which way was taken.
        assert.strictEqual(runs, way.runsAgain ? 2 : 1)
      })
    )

    it.effect("has what was acquired released once the handler is left or ends, and not before", () =>
      Effect.gen(function* () {
        let open = 0
        let atMost = 0
        const held = Effect.acquireRelease(
          Effect.sync(() => {
            open++
            atMost = Math.max(atMost, open)
          }),
          () => Effect.sync(() => open--)
        )
        const handler = Effect.zipRight(
          held,
          Effect.zipWith(form("a"), form("b"), (a, b) => show(a) + show(b) + open)
        )
        assert.deepStrictEqual(yield* way.converse(handler, echo), answered("ab1", ["a", "b"]))
        assert.deepStrictEqual([open, atMost], [0, 1])
      })
    )

    // verifies: IN-42
    it.effect("gets its answer whatever the handler does about errors", () =>
      Effect.gen(function* () {
        const orElse = () => Effect.succeed("caught")
        const asks = Effect.map(form("a"), show)
        const stubborn = Effect.catchAllCause(Effect.uninterruptible(Effect.catchAll(asks, orElse)), orElse)
        assert.deepStrictEqual(yield* way.converse(stubborn, echo), answered("a", ["a"]))
      })
    )

    it.effect("gives what is needed, or ends the call in words", () =>
      Effect.gen(function* () {
        const handler = Effect.map(Ask.orFail(form("a")), ({ name }) => name)
        assert.deepStrictEqual(yield* way.converse(handler, echo), answered("a", ["a"]))
        const declined = yield* way.converse(handler, () => ({ action: "decline" }))
        assert.deepStrictEqual(declined, { ...answered("The user declined.", ["a"]), isError: true })
      })
    )
  })
}

for (const way of legacyWays) {
  describe(`asking in ${way.name}`, () => {
    // verifies: IN-04, IN-15, SA-09
    it.effect("gives the client's error, for good", () =>
      Effect.gen(function* () {
        const handler = Effect.zipWith(form("a"), form("a"), (one, other) => JSON.stringify([one, other]))
        const failed = { _tag: "Failed", code: -1, message: "no" }
        assert.deepStrictEqual(
          yield* way.converse(handler, () => undefined),
          answered(JSON.stringify([failed, failed]), ["a"])
        )
      })
    )

    it.effect("together gives an error and an answer, each for its own", () =>
      Effect.gen(function* () {
        const handler = Effect.map(Ask.all({ a: form("a"), b: form("b") }), ({ a, b }) => show(a) + show(b))
        const user: User = ({ message }) => (message === "a" ? undefined : accept({ name: message }))
        assert.deepStrictEqual(yield* way.converse(handler, user), answered("Failedb", ["a", "b"]))
      })
    )

    it.effect("something else under a key that failed is an internal error", () =>
      Effect.gen(function* () {
        const other = Ask.form("a", { message: "other", schema: Schema.Struct({ name: Schema.String }) })
        const handler = Effect.map(Effect.zip(form("a"), other), String)
        assert.strictEqual((yield* way.converse(handler, () => undefined)).code, -32603)
      })
    )

    // verifies: IN-16, IN-24
    it.effect("gives up after the last round, and the handler goes on", () =>
      Effect.gen(function* () {
        const handler = Effect.map(form("a"), (outcome) => JSON.stringify(outcome))
        const { questions, text } = yield* way.converse(handler, () => ({ action: "maybe" }))
        assert.strictEqual(
          text,
          JSON.stringify({ _tag: "Failed", code: -32602, message: "no usable answer in 8 rounds" })
        )
        assert.strictEqual(questions.length, 8)
      })
    )
  })
}
