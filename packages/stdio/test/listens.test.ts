import { assert, describe, it } from "@effect/vitest"
import type { Listener, Subscription } from "@pushbutton/server/Decision"
import * as Effect from "effect/Effect"
import * as Listens from "../src/internal/listens.js"

/** A writer whose reader stalls when the test says so. */
const makeWriter = () => {
  const lines: Array<string> = []
  let isBlocked = false
  let waiting: Array<() => void> = []
  return {
    lines,
    stall: () => {
      isBlocked = true
    },
    goOn: () => {
      isBlocked = false
      const resumed = waiting
      waiting = []
      for (const resume of resumed) resume()
    },
    waiting: () => waiting.length,
    push: (line: string) => void lines.push(line),
    write: () => Effect.void,
    ask: () => Effect.succeed(false),
    isBlocked: () => isBlocked,
    isCongested: () => false,
    onKeptUp: (callback: () => void) => void waiting.push(callback),
    flushed: Effect.void
  }
}

/** A subscription whose messages the test provides. */
const makeListen = (id: string) => {
  const messages = [`${id} first`]
  let listener: Listener | undefined
  let state: "open" | "ending" | "over" = "open"
  const subscription: Subscription = {
    take: () => {
      const message = messages.shift()
      if (message === undefined && state === "ending") state = "over"
      return message
    },
    state: () => state,
    end: () => {
      messages.push(`${id} last`)
      state = "ending"
      listener?.wake()
    },
    close: () => {
      state = "over"
    }
  }
  return {
    send: (message: string) => {
      messages.push(message)
      listener?.wake()
    },
    left: messages,
    listen: {
      id,
      open: (opened: Listener) => {
        listener = opened
        return subscription
      },
      refuse: () => ({ status: 200, text: "" })
    }
  }
}

describe("listens", () => {
  it("takes nothing while the reader stalls, and waits for it once", () => {
    const writer = makeWriter()
    const listens = Listens.make(writer)
    const [a, b] = [makeListen("a"), makeListen("b")]
    listens.start(a.listen)
    listens.start(b.listen)
    writer.stall()
    a.send("a 1")
    b.send("b 1")
    a.send("a 2")
    assert.deepStrictEqual(writer.lines, ["a first", "b first"])
    assert.strictEqual(writer.waiting(), 1)
    writer.goOn()
    assert.deepStrictEqual(writer.lines, ["a first", "b first", "a 1", "a 2", "b 1"])
    writer.stall()
    b.send("b 2")
    assert.strictEqual(writer.waiting(), 1)
  })

  it("takes the rest of what ends even then", () => {
    const writer = makeWriter()
    const listens = Listens.make(writer)
    const { listen, send } = makeListen("a")
    listens.start(listen)
    writer.stall()
    send("a 1")
    listens.endAll()
    assert.deepStrictEqual(writer.lines, ["a first", "a 1", "a last"])
    assert.isFalse(listens.has("a"))
  })

  it("takes nothing of what was cancelled, even when the reader goes on", () => {
    const writer = makeWriter()
    const listens = Listens.make(writer)
    const { left, listen, send } = makeListen("a")
    listens.start(listen)
    writer.stall()
    send("a 1")
    assert.isTrue(listens.cancel("a"))
    assert.isFalse(listens.cancel("a"))
    writer.goOn()
    send("a 2")
    assert.deepStrictEqual(writer.lines, ["a first"])
    assert.deepStrictEqual(left, ["a 1", "a 2"])
  })
})
