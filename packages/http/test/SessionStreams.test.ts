import { assert, describe, it } from "@effect/vitest"
import type { LegacyVersion } from "@pushbutton/protocol/ProtocolVersion"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as EventStore from "../src/EventStore.js"
import type { EventStream } from "../src/internal/EventStream.js"
import type { SessionStreams } from "../src/internal/SessionStreams.js"
import * as FakeResponse from "./fakes/response.js"
import * as Events from "./support/events.js"
import { sent } from "./support/sending.js"
import * as TestSessions from "./support/sessions.js"

const make = (version?: LegacyVersion) => TestSessions.make(version && { version })

/** Connects the stream; gives the connection, and what it was sent once it has ended. */
const connect = (stream: EventStream, missed: Parameters<EventStream["connect"]>[2] = []) => {
  const response = FakeResponse.make()
  stream.connect(response, [], missed)
  return { response, sent: () => Events.parseAll(response.writes.join("")) }
}

/** Opens a stream as a GET does, and drops its connection; gives the id that its client was told. */
const dropped = (streams: SessionStreams) => {
  const stream = streams.openStandalone()
  connect(stream).response.emit("close")
  return `${stream.name}-0`
}

const nextTurn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** A stream whose client has stopped reading after the first message; the second waits. */
const stalled = Effect.gen(function* () {
  const { streams } = make()
  const stream = streams.openReply()
  const { response, sent: sentTo } = connect(stream)
  response.accepts = false
  yield* sent(() => stream.send('"1"'))
  yield* nextTurn
  const waiting = yield* Effect.fork(sent(() => stream.send('"2"')))
  yield* nextTurn
  return { response, sentTo, stream, streams, waiting }
})

describe("the streams of a session", () => {
  it.live("go on without a connection, and give what was missed to the next", () =>
    Effect.gen(function* () {
      const { streams } = make()
      const stream = streams.openReply()
      const first = connect(stream)
      yield* sent(() => stream.send('"1"'))
      yield* nextTurn
      first.response.emit("close")
      yield* sent(() => stream.send('"2"'))
      yield* sent(() => stream.send('"3"'))
      const resumption = streams.resume(first.sent()[1]?.id ?? "")
      if (resumption?._tag !== "Live") return assert.fail("the stream has not ended")
      const second = connect(resumption.stream, resumption.missed)
      stream.end('"4"')
      assert.deepStrictEqual(
        second.sent().map(({ message }) => message),
        ["2", "3", "4"]
      )
      assert.strictEqual(streams.resume(first.sent()[1]?.id ?? "")?._tag, "Ended")
    })
  )

  it("that a GET opened go on after their connection, the last eight whatever is kept of them", () => {
    const { streams } = TestSessions.make({ store: EventStore.make({ maxEvents: 1 }) })
    const connected = streams.openStandalone()
    connect(connected)
    const ids = Array.from({ length: 9 }, () => dropped(streams))
    // Resuming a stream that is connected takes the place of none that is not.
    connect(connected)
    const found = ids.map((id) => streams.resume(id)?._tag)
    assert.deepStrictEqual(found, [undefined, ...Array.from({ length: 8 }, () => "Live" as const)])
  })

  it("that a GET opened go on from what is kept, under their own ids, however many there were since", () => {
    const { streams } = make()
    const id = dropped(streams)
    for (let count = 0; count < 20; count++) dropped(streams)
    const resumption = streams.resume(id)
    if (resumption?._tag !== "Live") return assert.fail("it has no end of its own")
    const { sent } = connect(resumption.stream, resumption.missed)
    resumption.stream.add('"more"')
    resumption.stream.end()
    assert.deepStrictEqual(sent(), [{ id: id.replace(/0$/, "1"), retry: undefined, message: "more" }])
    assert.strictEqual(streams.resume(id)?.missed.length, 1)
  })

  it("that a GET opened are over with their connection where its client was told no event id", () => {
    const { streams } = make("2025-06-18")
    const told = streams.openStandalone()
    const { response } = connect(told)
    told.add('"1"')
    response.emit("close")
    for (let count = 0; count < 20; count++) connect(streams.openStandalone()).response.emit("close")
    assert.strictEqual(streams.resume(`${told.name}-0`)?._tag, "Live")
  })

  it("take nothing, and keep nothing, once the session is over", () => {
    const session = make()
    const reply = session.streams.openReply()
    const { response } = connect(reply)
    session.end()
    reply.add('"late"')
    assert.notInclude(response.writes.join(""), "late")
    const late = session.streams.openReply()
    const { sent } = connect(late)
    late.end('"answered"')
    assert.deepStrictEqual(sent(), [{ id: undefined, retry: undefined, message: "answered" }])
    for (const { name } of [reply, late]) assert.isUndefined(session.streams.resume(`${name}-0`))
  })

  it.live("hold up senders while a client does not read, and no longer than it is there", () =>
    Effect.gen(function* () {
      const { response, stream, streams, waiting } = yield* stalled
      assert.strictEqual((yield* waiting.status)._tag, "Suspended")
      response.emit("close")
      yield* waiting.await
      const resumed = streams.resume(`${stream.name}-1`)
      assert.deepStrictEqual(resumed?.missed, [{ number: 2, message: '"2"' }])
    })
  )

  it.live("send in the order in which they were asked to, also what waited", () =>
    Effect.gen(function* () {
      const { response, sentTo, stream, waiting } = yield* stalled
      response.accepts = true
      response.emit("drain")
      yield* sent(() => stream.send('"3"'))
      yield* Fiber.join(waiting)
      yield* nextTurn
      assert.deepStrictEqual(
        // The first event only tells an id.
        sentTo().map(({ message }) => message),
        [undefined, "1", "2", "3"]
      )
    })
  )

  it.live(
    "send what was missed ahead of what waited, to a client that comes back while it does not read",
    () =>
      Effect.gen(function* () {
        const { stream, streams, waiting } = yield* stalled
        const resumed = streams.resume(`${stream.name}-0`)
        const { sent: sentTo } = connect(stream, resumed?.missed)
        yield* Fiber.join(waiting)
        yield* nextTurn
        assert.deepStrictEqual(
          sentTo().map(({ id, message }) => [id, message]),
          [
            [`${stream.name}-1`, "1"],
            [`${stream.name}-2`, "2"]
          ]
        )
      })
  )
})
