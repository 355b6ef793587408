import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as SseStream from "../src/internal/SseStream.js"
import * as FakeResponse from "./fakes/response.js"
import { sent } from "./support/sending.js"

const open = (options: Partial<SseStream.Options> = {}) => {
  const response = FakeResponse.make()
  const ends: Array<string> = []
  const stream = SseStream.open({
    response,
    headers: [],
    maxUnreadBytes: 1_000_000,
    onEnd: () => ends.push("end"),
    onOverrun: () => ends.push("overrun"),
    ...options
  })
  return { response, stream, ends }
}

/** After what was flushed in this turn of the event loop. */
const nextTurn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

const event = (message: string) => `event: message\ndata: ${message}\n\n`

const isWaiting = <A>(fiber: Fiber.RuntimeFiber<A>) =>
  Effect.map(fiber.status, (status) => status._tag === "Suspended")

describe("SseStream", () => {
  it.live("writes the messages of one turn at once, in order", () =>
    Effect.gen(function* () {
      const { response, stream } = open()
      yield* sent(() => stream.send("1"))
      yield* sent(() => stream.send("2"))
      assert.deepStrictEqual(response.writes, [])
      yield* nextTurn
      assert.deepStrictEqual(response.writes, [event("1") + event("2")])
    })
  )

  it.live("does not let a batch grow beyond its limit", () =>
    Effect.gen(function* () {
      const { response, stream } = open()
      const long = "x".repeat(70_000)
      yield* sent(() => stream.send("1"))
      yield* sent(() => stream.send(long))
      assert.deepStrictEqual(response.writes, [event("1") + event(long)])
      yield* nextTurn
      assert.strictEqual(response.writes.length, 1)
    })
  )

  it.live("makes senders wait while the client takes nothing", () =>
    Effect.gen(function* () {
      const { response, stream } = open()
      response.accepts = false
      yield* sent(() => stream.send("1"))
      yield* nextTurn
      const second = yield* Effect.fork(sent(() => stream.send("2")))
      const third = yield* Effect.fork(sent(() => stream.send("3")))
      yield* nextTurn
      assert.isTrue(yield* isWaiting(second))
      assert.deepStrictEqual(response.writes, [event("1")])
      response.accepts = true
      response.emit("drain")
      yield* Fiber.join(second)
      yield* Fiber.join(third)
      yield* nextTurn
      assert.deepStrictEqual(response.writes, [event("1"), event("2") + event("3")])
    })
  )

  it.live("sends in the order in which it was asked to, also what waited", () =>
    Effect.gen(function* () {
      const { response, stream } = open()
      response.accepts = false
      yield* sent(() => stream.send("1"))
      yield* nextTurn
      const waiting = yield* Effect.fork(sent(() => stream.send("2")))
      yield* nextTurn
      response.accepts = true
      response.emit("drain")
      yield* sent(() => stream.send("3"))
      yield* Fiber.join(waiting)
      yield* nextTurn
      assert.deepStrictEqual(response.writes, [event("1"), event("2") + event("3")])
    })
  )

  // verifies: P-43
  it.live("lets senders go when the client has left", () =>
    Effect.gen(function* () {
      const { ends, response, stream } = open()
      response.accepts = false
      yield* sent(() => stream.send("1"))
      yield* nextTurn
      const second = yield* Effect.fork(sent(() => stream.send("2")))
      yield* nextTurn
      response.emit("close")
      yield* Fiber.join(second)
      yield* sent(() => stream.send("3"))
      stream.end("4")
      yield* nextTurn
      assert.deepStrictEqual(response.writes, [event("1")])
      assert.deepStrictEqual(ends, ["end"])
    })
  )

  it.live("forgets a sender that is interrupted while it waits", () =>
    Effect.gen(function* () {
      const { response, stream } = open()
      response.accepts = false
      yield* sent(() => stream.send("1"))
      yield* nextTurn
      const second = yield* Effect.fork(sent(() => stream.send("2")))
      yield* nextTurn
      yield* Fiber.interrupt(second)
      response.accepts = true
      response.emit("drain")
      yield* nextTurn
      assert.deepStrictEqual(response.writes, [event("1")])
    })
  )

  // verifies: P-43
  it.live("ends with the last message behind what was waiting, and sends nothing after", () =>
    Effect.gen(function* () {
      const { ends, response, stream } = open()
      yield* sent(() => stream.send("1"))
      stream.end("2")
      yield* sent(() => stream.send("3"))
      stream.end("4")
      stream.keepAlive()
      yield* nextTurn
      assert.deepStrictEqual(response.writes, [event("1") + event("2")])
      assert.deepStrictEqual(ends, ["end"])
    })
  )

  it.live("sends a comment when it has nothing else to say", () =>
    Effect.gen(function* () {
      const { response, stream } = open()
      stream.keepAlive()
      yield* sent(() => stream.send("1"))
      stream.keepAlive()
      yield* nextTurn
      assert.deepStrictEqual(response.writes, [": keep-alive\n\n", event("1")])
    })
  )

  it.live("sends no comment to a client that takes nothing", () =>
    Effect.gen(function* () {
      const { response, stream } = open()
      response.accepts = false
      stream.keepAlive()
      stream.keepAlive()
      const sender = yield* Effect.fork(sent(() => stream.send("1")))
      yield* nextTurn
      assert.deepStrictEqual(response.writes, [": keep-alive\n\n"])
      assert.isTrue(yield* isWaiting(sender))
      yield* Fiber.interrupt(sender)
    })
  )

  it.live("says whether the client keeps up, and when it does again", () =>
    Effect.gen(function* () {
      const taken: Array<boolean> = []
      const { response, stream } = open({ onWritable: () => taken.push(stream.canTake()) })
      assert.isTrue(stream.canTake())
      response.accepts = false
      stream.add("1")
      yield* nextTurn
      assert.isFalse(stream.canTake())
      stream.add("2")
      response.emit("drain")
      assert.deepStrictEqual(response.writes, [event("1"), event("2")])
      assert.deepStrictEqual(taken, [])
      response.accepts = true
      response.emit("drain")
      assert.deepStrictEqual(taken, [true])
    })
  )

  it.live("adds what the client has not taken to its end", () =>
    Effect.gen(function* () {
      const { response, stream } = open()
      response.accepts = false
      stream.add("1")
      yield* nextTurn
      stream.add("2")
      stream.end("3")
      stream.add("4")
      assert.isFalse(stream.canTake())
      assert.deepStrictEqual(response.writes, [event("1"), event("2") + event("3")])
    })
  )

  it.live("ends when more waits for a client that does not read than may, one message aside", () =>
    Effect.gen(function* () {
      const { ends, response, stream } = open({ maxUnreadBytes: 100 })
      response.accepts = false
      stream.add("1")
      yield* nextTurn
      stream.add("x".repeat(1000))
      assert.deepStrictEqual(ends, [])
      stream.add("2")
      assert.deepStrictEqual(ends, ["overrun", "end"])
      assert.isTrue(response.destroyed)
      stream.add("3")
      stream.end("4")
      yield* nextTurn
      assert.deepStrictEqual(response.writes, [event("1")])
    })
  )

  it.live("counts in bytes what waits, and counts anew once that has gone out", () =>
    Effect.gen(function* () {
      const { ends, response, stream } = open({ maxUnreadBytes: 2 * event("").length + 4 })
      response.accepts = false
      stream.add("1")
      yield* nextTurn
      stream.add("ä")
      stream.add("ä")
      response.emit("drain")
      stream.add("bc")
      assert.deepStrictEqual(ends, [])
      stream.add("ä!")
      assert.deepStrictEqual(ends, ["overrun", "end"])
    })
  )
})
