import { assert, describe, it, layer } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import { InvalidRequestState } from "@pushbutton/protocol/ProtocolError"
import * as RandomBytes from "@pushbutton/server/RandomBytes"
import * as RedeemedStates from "@pushbutton/server/RedeemedStates"
import * as RequestState from "@pushbutton/server/RequestState"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"

const key = (id: string, secret = id.repeat(32)) => ({ id, secret: Redacted.make(secret) })

const binding: RequestState.Binding = {
  server: "s",
  method: "tools/call",
  target: "deploy",
  args: { build: "1", deep: { a: [1, null], b: true } },
  principal: "ada"
}

const payload = { answers: ["ünïcode 😀 \ud800"], "": null }

const withStates = <A, E>(
  options: RequestState.Options,
  use: (states: RequestState.RequestState["Type"]) => Effect.Effect<A, E, RandomBytes.RandomBytes>
) => Effect.provide(Effect.flatMap(RequestState.RequestState, use), RequestState.layer(options))

const run = Effect.provide(RandomBytes.layerTest)

const refused = new InvalidRequestState()

describe("RequestState", () => {
  it.effect("gives back what was sealed", () =>
    withStates({}, (states) =>
      Effect.gen(function* () {
        const sealed = yield* states.seal(payload, binding)
        assert.match(sealed, /^1\.process\.[A-Za-z0-9_-]+$/)
        assertRight(yield* Effect.either(states.open(sealed, binding)), JSON.parse(JSON.stringify(payload)))
      })
    ).pipe(run)
  )

  // verifies: ELIC-25
  it.effect("shows nothing of it", () =>
    withStates({}, (states) =>
      Effect.gen(function* () {
        const sealed = yield* states.seal({ secret: "hunter2hunter2" }, binding)
        const [, , data = ""] = sealed.split(".")
        assert.notInclude(Buffer.from(data, "base64url").toString("latin1"), "hunter2")
      })
    ).pipe(run)
  )

  it.effect("seals the same twice differently", () =>
    withStates({}, (states) =>
      Effect.gen(function* () {
        assert.notStrictEqual(yield* states.seal(payload, binding), yield* states.seal(payload, binding))
      })
    ).pipe(run)
  )

  it.effect("opens whatever the order of the arguments' members", () =>
    withStates({}, (states) =>
      Effect.gen(function* () {
        const sealed = yield* states.seal({}, binding)
        const args = { deep: { b: true, a: [1, null] }, build: "1" }
        assertRight(yield* Effect.either(states.open(sealed, { ...binding, args })), {})
      })
    ).pipe(run)
  )

  const others: ReadonlyArray<readonly [string, Partial<RequestState.Binding>]> = [
    ["another server", { server: "t" }],
    ["another method", { method: "prompts/get" }],
    ["another tool", { target: "destroy" }],
    ["another argument", { args: { ...binding.args, build: "2" } }],
    ["an argument more", { args: { ...binding.args, force: true } }],
    ["an argument less", { args: { build: "1" } }],
    ["items in another order", { args: { build: "1", deep: { a: [null, 1], b: true } } }],
    ["an argument of another type", { args: { ...binding.args, build: 1 } }],
    ["another caller", { principal: "eve" }],
    ["nobody", { principal: undefined }]
  ]

  for (const [name, other] of others) {
    // verifies: MRTR-17, MRTR-19, ELIC-24, ELIC-25, MRTR-14, P-69
    it.effect(`does not open for ${name}`, () =>
      withStates({}, (states) =>
        Effect.gen(function* () {
          const sealed = yield* states.seal(payload, binding)
          assertLeft(yield* Effect.either(states.open(sealed, { ...binding, ...other })), refused)
        })
      ).pipe(run)
    )
  }

  it.effect("does not take nobody for somebody of an empty name", () =>
    withStates({}, (states) =>
      Effect.gen(function* () {
        const sealed = yield* states.seal({}, { ...binding, principal: undefined })
        assertLeft(yield* Effect.either(states.open(sealed, { ...binding, principal: "" })), refused)
      })
    ).pipe(run)
  )

  // verifies: MRTR-18
  it.effect("opens up to its time and not from then on", () =>
    withStates({ ttl: "1 minute" }, (states) =>
      Effect.gen(function* () {
        const sealed = yield* states.seal(payload, binding)
        yield* TestClock.adjust(59_999)
        assert.isTrue((yield* Effect.either(states.open(sealed, binding)))._tag === "Right")
        yield* TestClock.adjust(1)
        assertLeft(yield* Effect.either(states.open(sealed, binding)), refused)
      })
    ).pipe(run)
  )

  it.effect("lasts ten minutes unless told otherwise", () =>
    withStates({}, (states) =>
      Effect.gen(function* () {
        const sealed = yield* states.seal(payload, binding)
        yield* TestClock.adjust("9 minutes")
        assert.strictEqual((yield* Effect.either(states.open(sealed, binding)))._tag, "Right")
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* Effect.either(states.open(sealed, binding)))._tag, "Left")
      })
    ).pipe(run)
  )

  // verifies: MRTR-14, P-69
  it.effect("does not open with any one bit changed", () =>
    withStates({}, (states) =>
      Effect.gen(function* () {
        const sealed = yield* states.seal({}, binding)
        const [version, id, data = ""] = sealed.split(".")
        const bytes = Buffer.from(data, "base64url")
        for (let bit = 0; bit < bytes.length * 8; bit++) {
          const altered = Buffer.from(bytes)
          altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
          const text = `${version}.${id}.${altered.toString("base64url")}`
          assertLeft(yield* Effect.either(states.open(text, binding)), refused)
        }
      })
    ).pipe(run)
  )

  describe("keys", () => {
    const sealWith = (options: RequestState.Options) =>
      withStates(options, (states) => states.seal(payload, binding)).pipe(run)
    const openWith = (options: RequestState.Options, sealed: string) =>
      withStates(options, (states) => Effect.either(states.open(sealed, binding))).pipe(run)

    // verifies: P-69
    it.effect("are shared by replicas", () =>
      Effect.gen(function* () {
        const sealed = yield* sealWith({ keys: [key("a")] })
        assert.match(sealed, /^1\.a\./)
        assert.strictEqual((yield* openWith({ keys: [key("a")] }, sealed))._tag, "Right")
      })
    )

    it.effect("rotate: the first seals, all open, and one that is dropped does not", () =>
      Effect.gen(function* () {
        const old = yield* sealWith({ keys: [key("a")] })
        const rotated = { keys: [key("b"), key("a")] }
        assert.match(yield* sealWith(rotated), /^1\.b\./)
        assert.strictEqual((yield* openWith(rotated, old))._tag, "Right")
        assertLeft(yield* openWith({ keys: [key("b")] }, old), refused)
      })
    )

    it.effect("of one id and another secret do not open", () =>
      Effect.gen(function* () {
        const sealed = yield* sealWith({ keys: [key("a")] })
        assertLeft(yield* openWith({ keys: [key("a", "b".repeat(32))] }, sealed), refused)
      })
    )

    it.effect("under another id do not open, though the secret is the same", () =>
      Effect.gen(function* () {
        const sealed = yield* sealWith({ keys: [key("a")] })
        const other = key("b", "a".repeat(32))
        assertLeft(yield* openWith({ keys: [other] }, sealed.replace("1.a.", "1.b.")), refused)
      })
    )

    it.effect("of this process are made once", () =>
      withStates({}, (states) =>
        Effect.gen(function* () {
          const sealed = yield* Effect.all(
            [states.seal({ at: 0 }, binding), states.seal({ at: 1 }, binding)],
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(yield* Effect.forEach(sealed, (text) => states.open(text, binding)), [
            { at: 0 },
            { at: 1 }
          ])
        })
      ).pipe(run)
    )

    const unusable: ReadonlyArray<readonly [string, NonNullable<RequestState.Options["keys"]>]> = [
      ["requestState.keys is empty", []],
      ['requestState.keys: "a.b" is no key id', [key("a.b")]],
      ["requestState.keys: the secret of a has 5 characters; 32 or more are needed", [key("a", "short")]],
      ["requestState.keys: two keys are a", [key("a"), key("a")]]
    ]

    for (const [message, keys] of unusable) {
      it.effect(`stop the layer: ${message}`, () =>
        Effect.gen(function* () {
          const defect = yield* Effect.flip(Effect.sandbox(withStates({ keys }, () => Effect.void).pipe(run)))
          assert.include(String(defect), message)
        })
      )
    }
  })

  describe("size", () => {
    it.effect("is limited when sealing", () =>
      withStates({ maxLength: 200 }, (states) =>
        Effect.gen(function* () {
          yield* states.seal({ text: "x".repeat(50) }, binding)
          const error = yield* Effect.flip(states.seal({ text: "x".repeat(100) }, binding))
          assert.strictEqual(error.limit, 200)
          assert.isAbove(error.length, 200)
        })
      ).pipe(run)
    )

    it.effect("is limited when opening", () =>
      Effect.gen(function* () {
        const keys = [key("a")]
        const sealed = yield* withStates({ keys }, (states) =>
          states.seal({ text: "x".repeat(100) }, binding)
        )
        const opened = yield* withStates({ keys, maxLength: 200 }, (states) =>
          Effect.either(states.open(sealed, binding))
        )
        assertLeft(opened, refused)
      }).pipe(run)
    )
  })

  describe("single use", () => {
    const once = RequestState.layerSingleUse({ ttl: "1 minute" }).pipe(
      Layer.provide(RedeemedStates.layerMemory)
    )
    const withOnce = <A, E>(
      use: (states: RequestState.RequestState["Type"]) => Effect.Effect<A, E, RandomBytes.RandomBytes>
    ) => Effect.flatMap(RequestState.RequestState, use).pipe(Effect.provide(once), run)

    // verifies: MRTR-20, P-69
    it.effect("opens each state once", () =>
      withOnce((states) =>
        Effect.gen(function* () {
          assert.isTrue(states.isSingleUse)
          const [one, two] = [yield* states.seal({ at: 1 }, binding), yield* states.seal({ at: 2 }, binding)]
          assertRight(yield* Effect.either(states.open(one, binding)), { at: 1 })
          assertLeft(yield* Effect.either(states.open(one, binding)), refused)
          assertRight(yield* Effect.either(states.open(two, binding)), { at: 2 })
        })
      )
    )

    // verifies: MRTR-20
    it.effect("lets one of several at once have it", () =>
      withOnce((states) =>
        Effect.gen(function* () {
          const sealed = yield* states.seal({}, binding)
          const opened = yield* Effect.all(
            Array.from({ length: 5 }, () => Effect.either(states.open(sealed, binding))),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(opened.filter(({ _tag }) => _tag === "Right").length, 1)
        })
      )
    )

    it.effect("is not used up by a request that it does not belong to", () =>
      withOnce((states) =>
        Effect.gen(function* () {
          const sealed = yield* states.seal({}, binding)
          assertLeft(yield* Effect.either(states.open(sealed, { ...binding, principal: "eve" })), refused)
          assertRight(yield* Effect.either(states.open(sealed, binding)), {})
        })
      )
    )
  })
})

layer(Layer.merge(RequestState.layer(), RandomBytes.layerTest))("RequestState", (it) => {
  it.effect.prop(
    "does not open with any character changed, added or left out",
    [fc.nat(), fc.constantFrom(..."Aa0-_.=+/ \u0141".split(""), ""), fc.boolean()],
    ([position, character, insert]) =>
      Effect.gen(function* () {
        const states = yield* RequestState.RequestState
        const sealed = yield* states.seal({ a: 1 }, binding)
        const at = position % (sealed.length + 1)
        const altered = sealed.slice(0, at) + character + sealed.slice(insert ? at : at + 1)
        if (altered === sealed) return
        assertLeft(yield* Effect.either(states.open(altered, binding)), refused)
      }),
    { fastCheck: { numRuns: 300 } }
  )

  // verifies: MRTR-13
  it.effect.prop("refuses any text", [fc.string()], ([text]) =>
    Effect.gen(function* () {
      const states = yield* RequestState.RequestState
      assertLeft(yield* Effect.either(states.open(text, binding)), refused)
    })
  )
})
