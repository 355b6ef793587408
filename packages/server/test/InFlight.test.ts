import { assert, describe, it } from "@effect/vitest"
import { RequestInFlight, ShuttingDown, TooManyRequests } from "@pushbutton/protocol/ProtocolError"
import type { Call, Reply } from "@pushbutton/server/Decision"
import type * as InFlight from "@pushbutton/server/InFlight"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Logger from "effect/Logger"
import * as Ref from "effect/Ref"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { makeInFlight } from "./support/inFlight.js"

const done: Reply = { status: 200, text: "done" }

const callOf = (effect: Effect.Effect<Reply>): Call => ({
  id: 1,
  era: "modern",
  start: (_, fork) => fork(effect, Context.empty()),
  refuse: (reason) => ({ status: 400, text: reason._tag })
})

const outlet = { notify: () => Effect.void }

/** Starts a call and gives what it settles with. */
const settled = (inFlight: InFlight.InFlight<string>, key: string, effect: Effect.Effect<Reply>) =>
  Effect.map(Deferred.make<Reply | undefined>(), (settlement) => {
    inFlight.start(key, callOf(effect), outlet, (reply) =>
      Deferred.unsafeDone(settlement, Effect.succeed(reply))
    )
    return Deferred.await(settlement)
  })

describe("InFlight", () => {
  it.scoped("settles a call that ends at once before start returns", () =>
    Effect.gen(function* () {
      const inFlight = yield* makeInFlight<string>()
      const replies: Array<Reply | undefined> = []
      inFlight.start("a", callOf(Effect.succeed(done)), outlet, (reply) => replies.push(reply))
      assert.deepStrictEqual(replies, [done])
      assert.strictEqual(inFlight.size(), 0)
    })
  )

  it.scoped("refuses a key that is still in flight and lets the first request go on", () =>
    Effect.gen(function* () {
      const inFlight = yield* makeInFlight<string>()
      const gate = yield* Deferred.make<void>()
      const first = yield* settled(inFlight, "a", Effect.as(Deferred.await(gate), done))
      const second = yield* settled(inFlight, "a", Effect.succeed(done))
      assert.deepStrictEqual(yield* second, { status: 400, text: new RequestInFlight({ id: 1 })._tag })
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(yield* first, done)
    })
  )

  it.scoped("refuses what is beyond its limits until one of those that run has ended", () =>
    Effect.gen(function* () {
      const inFlight = yield* makeInFlight<number>({ max: 3, maxPerOwner: 2 })
      const gates: Array<Deferred.Deferred<void>> = []
      const replies: Array<string | undefined> = []
      const [ann, ben] = [{}, {}]
      const startFor = (owner: object | undefined) => {
        const index = gates.push(Deferred.unsafeMake(FiberId.none)) - 1
        const effect = Effect.as(Deferred.await(gates[index] ?? assert.fail()), done)
        const settle = (reply: Reply | undefined) => {
          replies[index] = reply?.text
        }
        inFlight.start(index, callOf(effect), outlet, settle, owner)
      }
      for (const owner of [ann, ann, ann, ben, ben]) startFor(owner)
      startFor(undefined)
      const refused = new TooManyRequests({ limit: 0 })._tag
      assert.deepStrictEqual(
        gates.map((_, index) => replies[index]),
        [undefined, undefined, refused, undefined, refused, refused]
      )
      inFlight.cancel(0)
      yield* Effect.yieldNow()
      startFor(ann)
      assert.deepStrictEqual([replies[6], inFlight.size()], [undefined, 3])
      for (const gate of gates) Deferred.unsafeDone(gate, Effect.void)
      yield* inFlight.drain("1 second")
      startFor(ben)
      startFor(undefined)
      assert.deepStrictEqual([replies[7], replies[8], inFlight.size()], [undefined, undefined, 2])
    })
  )

  // verifies: CANC-03, HTTP-26, STDIO-09, P-53
  it.scoped("gives a cancelled request no reply, after its finalizers", () =>
    Effect.gen(function* () {
      const inFlight = yield* makeInFlight<string>()
      const started = yield* Deferred.make<void>()
      const finalized = yield* Ref.make(false)
      const reply = yield* settled(
        inFlight,
        "a",
        Effect.zipRight(Deferred.succeed(started, undefined), Effect.never).pipe(
          Effect.onInterrupt(() => Ref.set(finalized, true))
        )
      )
      yield* Deferred.await(started)
      assert.isTrue(inFlight.cancel("a"))
      assert.isUndefined(yield* reply)
      assert.isTrue(yield* Ref.get(finalized))
      assert.isFalse(inFlight.cancel("a"))
      assert.strictEqual(inFlight.size(), 0)
    })
  )

  // verifies: CANC-05, P-53
  it.scoped("sends nothing when a cancel meets a request that cannot be stopped any more", () =>
    Effect.gen(function* () {
      const inFlight = yield* makeInFlight<string>()
      const gate = yield* Deferred.make<void>()
      const reply = yield* settled(
        inFlight,
        "a",
        Effect.uninterruptible(Effect.as(Deferred.await(gate), done))
      )
      inFlight.cancel("a")
      yield* Deferred.succeed(gate, undefined)
      assert.isUndefined(yield* reply)
    })
  )

  // verifies: CANC-04, P-17
  it.scoped("tells 1 from '1'", () =>
    Effect.gen(function* () {
      const inFlight = yield* makeInFlight<string | number>()
      inFlight.start(1, callOf(Effect.never), outlet, () => {})
      assert.isFalse(inFlight.cancel("1"))
      assert.isTrue(inFlight.cancel(1))
    })
  )

  describe("drain", () => {
    it.scoped("lets a request finish within the grace period", () =>
      Effect.gen(function* () {
        const inFlight = yield* makeInFlight<string>()
        const reply = yield* settled(inFlight, "a", Effect.as(Effect.sleep("3 seconds"), done))
        const draining = yield* Effect.fork(inFlight.drain("10 seconds"))
        yield* TestClock.adjust("3 seconds")
        yield* Fiber.join(draining)
        assert.deepStrictEqual(yield* reply, done)
      })
    )

    it.scoped("interrupts what outlasts the grace period, which is told so", () =>
      Effect.gen(function* () {
        const inFlight = yield* makeInFlight<string>()
        const reply = yield* settled(inFlight, "a", Effect.never)
        const draining = yield* Effect.fork(inFlight.drain("10 seconds"))
        yield* TestClock.adjust("9999 millis")
        assert.strictEqual(inFlight.size(), 1)
        yield* TestClock.adjust("1 millis")
        yield* Fiber.join(draining)
        assert.deepStrictEqual(yield* reply, { status: 400, text: new ShuttingDown()._tag })
      })
    )

    it.scoped("ends when it runs in a finalizer, which cannot be interrupted", () =>
      Effect.gen(function* () {
        const inFlight = yield* makeInFlight<string>()
        const reply = yield* settled(inFlight, "a", Effect.never)
        const scope = yield* Scope.make()
        yield* Scope.addFinalizer(scope, inFlight.drain("10 seconds"))
        const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
        yield* TestClock.adjust("10 seconds")
        yield* Fiber.join(closing)
        assert.strictEqual((yield* reply)?.text, "ShuttingDown")
      })
    )
  })

  it.effect("interrupts what runs when its scope closes", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const inFlight = yield* Scope.extend(makeInFlight<string>(), scope)
      const reply = yield* settled(inFlight, "a", Effect.never)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* reply)?.text, "ShuttingDown")
    })
  )

  it.effect("keeps the scope it was made in from its requests", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const inFlight = yield* Scope.extend(makeInFlight<string>(), scope)
      const seen = yield* Deferred.make<boolean>()
      const look = Effect.flatMap(Effect.context<never>(), (context) =>
        Deferred.succeed(seen, context.unsafeMap.has(Scope.Scope.key))
      )
      yield* settled(inFlight, "a", Effect.as(look, done))
      assert.isFalse(yield* Deferred.await(seen))
      yield* Scope.close(scope, Exit.void)
    })
  )

  it.scopedLive("reads on while a handler is busy and yields", () =>
    Effect.gen(function* () {
      const inFlight = yield* makeInFlight<string>()
      const started = yield* Deferred.make<void>()
      const settled = yield* Deferred.make<Reply | undefined>()
      const busy = Effect.zipRight(
        Deferred.succeed(started, undefined),
        Effect.as(Effect.forever(Effect.yieldNow()), done)
      )
      inFlight.start("a", callOf(busy), outlet, (reply) =>
        Deferred.unsafeDone(settled, Effect.succeed(reply))
      )
      yield* Deferred.await(started)
      // As a transport does it: from an event of the loop, which has to come round for that.
      yield* Effect.async<void>((resume) => {
        setImmediate(() => {
          inFlight.cancel("a")
          resume(Effect.void)
        })
      })
      assert.isUndefined(yield* Deferred.await(settled))
    })
  )

  it.scoped("outlives a settlement that throws, and says so in the log", () =>
    Effect.gen(function* () {
      const logs: Array<string> = []
      const logger = Logger.make<unknown, void>(({ message }) => void logs.push(String(message)))
      const inFlight = yield* Effect.provide(
        makeInFlight<string>(),
        Logger.replace(Logger.defaultLogger, logger)
      )
      const throws = () => {
        throw new Error("no room")
      }
      const gate = yield* Deferred.make<void>()
      inFlight.start("at once", callOf(Effect.succeed(done)), outlet, throws)
      inFlight.start("later", callOf(Effect.as(Deferred.await(gate), done)), outlet, throws)
      inFlight.start("later", callOf(Effect.succeed(done)), outlet, throws)
      yield* Deferred.succeed(gate, undefined)
      yield* inFlight.drain("1 second")
      const next = yield* settled(inFlight, "next", Effect.succeed(done))
      assert.deepStrictEqual(yield* next, done)
      assert.strictEqual(inFlight.size(), 0)
      assert.deepStrictEqual(logs, Array(3).fill("The end of a request could not be told"))
    })
  )

  it.scoped("answers a request that dies outside its handler with an internal error", () =>
    Effect.gen(function* () {
      const inFlight = yield* makeInFlight<string>()
      const reply = yield* settled(inFlight, "a", Effect.die("a bug"))
      assert.strictEqual((yield* reply)?.text, "InternalError")
    })
  )
})
