import { assert, describe, it } from "@effect/vitest"
import type { Listener, Subscription } from "@pushbutton/server/Decision"
import * as Effect from "effect/Effect"
import * as Listens from "../src/internal/listens.js"
import * as SlowReader from "./support/slowReader.js"

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
  it.scopedLive("takes nothing while the reader stalls", () =>
    Effect.gen(function* () {
      const { goOn, lines, stall, turn, writer } = yield* SlowReader.make()
      const listens = Listens.make(writer)
      const [a, b] = [makeListen("a"), makeListen("b")]
      listens.start(a.listen)
      listens.start(b.listen)
      yield* turn
      yield* goOn
      yield* stall
      a.send("a 1")
      b.send("b 1")
      a.send("a 2")
      assert.deepStrictEqual([a.left, b.left], [["a 1", "a 2"], ["b 1"]])
      yield* goOn
      assert.deepStrictEqual(lines, ["a first", "b first", "stalled", "a 1", "a 2", "b 1"])
      b.send("b 2")
      assert.deepStrictEqual(b.left, ["b 2"])
    })
  )

  it.scopedLive("takes the rest of what ends even then", () =>
    Effect.gen(function* () {
      const { goOn, lines, stall, writer } = yield* SlowReader.make()
      const listens = Listens.make(writer)
      const { left, listen, send } = makeListen("a")
      yield* stall
      listens.start(listen)
      send("a 1")
      listens.endAll()
      assert.isFalse(listens.has("a"))
      assert.deepStrictEqual(left, [])
      yield* goOn
      assert.deepStrictEqual(lines, ["stalled", "a first", "a 1", "a last"])
    })
  )

  it.scopedLive("takes nothing of what was cancelled, even when the reader goes on", () =>
    Effect.gen(function* () {
      const { goOn, lines, stall, turn, writer } = yield* SlowReader.make()
      const listens = Listens.make(writer)
      const { left, listen, send } = makeListen("a")
      listens.start(listen)
      yield* turn
      send("a 1")
      assert.isTrue(listens.cancel("a"))
      assert.isFalse(listens.cancel("a"))
      yield* goOn
      yield* stall
      yield* goOn
      send("a 2")
      assert.deepStrictEqual(lines, ["a first", "stalled"])
      assert.deepStrictEqual(left, ["a 1", "a 2"])
    })
  )
})
