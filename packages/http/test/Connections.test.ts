import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Connections } from "../src/internal/Connections.js"
import * as FakeResponse from "./fakes/response.js"

const make = () => {
  const lines: Array<Effect.Effect<unknown>> = []
  const connections = new Connections({
    maxUnreadBytes: 100,
    run: (effect) => void lines.push(effect)
  })
  return { connections, lines }
}

const broken = () => {
  throw new Error("a listener is broken")
}

const nextTurn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

describe("the event streams of a server", () => {
  it("end alone when what listens to one of them throws, and the defect is logged", () => {
    const { connections, lines } = make()
    const [ends, writes, healthy] = [FakeResponse.make(), FakeResponse.make(), FakeResponse.make()]
    connections.open(ends, [], { onEnd: broken })
    connections.open(writes, [], { onEnd: () => {}, onWritable: broken })
    connections.open(healthy, [], { onEnd: () => {} })
    ends.emit("close")
    assert.strictEqual(lines.length, 1)
    writes.emit("drain")
    assert.strictEqual(lines.length, 2)
    assert.isTrue(writes.destroyed)
    connections.keepAlive()
    assert.deepStrictEqual(
      [ends, healthy].map(({ writes }) => writes.length),
      [0, 1]
    )
    connections.end()
  })

  it.live("are told in the log when they end because nobody reads them", () =>
    Effect.gen(function* () {
      const { connections, lines } = make()
      const response = FakeResponse.make()
      response.accepts = false
      const stream = connections.open(response, [], { onEnd: () => {} })
      stream.add("1")
      yield* nextTurn
      stream.add("x".repeat(100))
      stream.add("2")
      assert.strictEqual(lines.length, 1)
      assert.isTrue(response.destroyed)
    })
  )
})
