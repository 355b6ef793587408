import { assert, describe, it } from "@effect/vitest"
import { LegacySession } from "@pushbutton/server/LegacySession"
import * as Effect from "effect/Effect"
import * as BackChannel from "../src/internal/backChannel.js"

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

/** A writer whose reader stalls after each line until the test lets it go on. */
const makeWriter = () => {
  const lines: Array<string> = []
  let waiting: Array<() => void> = []
  let isBlocked = false
  return {
    lines,
    waiting: () => waiting.length,
    goOn: () => {
      isBlocked = false
      const resumed = waiting
      waiting = []
      for (const resume of resumed) resume()
    },
    push: (line: string) => {
      lines.push(line)
      isBlocked = true
    },
    write: () => Effect.void,
    ask: () => Effect.succeed(false),
    isBlocked: () => isBlocked,
    isCongested: () => false,
    onKeptUp: (callback: () => void) => void waiting.push(callback),
    flushed: Effect.void
  }
}

describe("the back channel on stdio", () => {
  it("takes no more than the reader does, and waits for it once", () => {
    const { left, session, tell } = makeSession()
    const writer = makeWriter()
    BackChannel.attach(session, writer)
    tell("a", "b")
    tell("c")
    assert.deepStrictEqual([writer.lines, left, writer.waiting()], [["a"], ["b", "c"], 1])
    writer.goOn()
    assert.deepStrictEqual([writer.lines, writer.waiting()], [["a", "b"], 1])
    writer.goOn()
    writer.goOn()
    assert.deepStrictEqual([writer.lines, writer.waiting()], [["a", "b", "c"], 0])
    tell("d")
    assert.deepStrictEqual(writer.lines, ["a", "b", "c", "d"])
  })

  it("takes nothing once it has ended or its session has", () => {
    const { left, session, tell } = makeSession()
    const writer = makeWriter()
    const detach = BackChannel.attach(session, writer)
    tell("a", "b")
    detach()
    session.close()
    writer.goOn()
    tell("c")
    assert.deepStrictEqual([writer.lines, left], [["a"], ["b", "c"]])
  })
})
