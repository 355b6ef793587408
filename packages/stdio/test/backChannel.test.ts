import { assert, describe, it } from "@effect/vitest"
import { BackChannel } from "@pushbutton/server/BackChannel"
import { LegacySession } from "@pushbutton/server/LegacySession"
import * as Effect from "effect/Effect"
import * as SlowReader from "./support/slowReader.js"

/** A session for which the test provides what it is told. */
const makeSession = () => {
  const left: Array<string> = []
  let wake = () => {}
  const session = new LegacySession(
    { version: "2025-11-25", clientInfo: { name: "peer", version: "1" }, clientCapabilities: {} },
    {
      openSession: (_, listener) => {
        wake = listener
        return { subscribe: () => true, unsubscribe: () => {}, take: () => left.shift(), close: () => {} }
      }
    }
  )
  session.initialized()
  const tell = (...messages: ReadonlyArray<string>) => {
    left.push(...messages)
    wake()
  }
  return { session, left, tell }
}

describe("the back channel on stdio", () => {
  const attach = Effect.gen(function* () {
    const reader = yield* SlowReader.make()
    const { session, ...rest } = makeSession()
    const channel = new BackChannel(session, reader.writer)
    reader.writer.onWritable(() => channel.pump())
    channel.open()
    return { ...reader, ...rest, channel, session }
  })

  it.scopedLive("takes no more than the reader does", () =>
    Effect.gen(function* () {
      const { goOn, left, lines, stall, tell, turn } = yield* attach
      tell("a")
      yield* turn
      assert.deepStrictEqual(lines, ["a"])
      tell("b")
      tell("c", "d")
      assert.deepStrictEqual(left, ["b", "c", "d"])
      yield* goOn
      assert.deepStrictEqual([lines, left], [["a", "b", "c", "d"], []])
      yield* goOn
      yield* stall
      tell("e")
      yield* goOn
      assert.deepStrictEqual([lines.at(-1), left], ["e", []])
    })
  )

  it.scopedLive("takes nothing once it has ended or its session has", () =>
    Effect.gen(function* () {
      const { channel, goOn, left, lines, session, stall, tell } = yield* attach
      yield* stall
      tell("a", "b")
      channel.close()
      session.close()
      yield* goOn
      tell("c")
      assert.deepStrictEqual([lines, left], [["stalled"], ["a", "b", "c"]])
    })
  )
})
