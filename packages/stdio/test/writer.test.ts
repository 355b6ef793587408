import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as SlowReader from "./support/slowReader.js"

const line = "x".repeat(1024)

describe("the writer", () => {
  it.scopedLive("keeps lines apart and in order behind a reader that stalls", () =>
    Effect.gen(function* () {
      const { goOn, lines, stall, writer } = yield* SlowReader.make()
      yield* stall
      const sent = Array.from({ length: 200 }, (_, index) => `${index} ${line}`)
      for (const one of sent) writer.add(one)
      assert.isFalse(writer.canTake())
      assert.deepStrictEqual(lines, ["stalled"])
      while (lines.length <= sent.length) yield* goOn
      assert.deepStrictEqual(lines.slice(1), sent)
    })
  )

  it.scopedLive("ends the connection of a reader that lets too much wait, and keeps nothing for it", () =>
    Effect.gen(function* () {
      const { goOn, gone, lines, stall, writer } = yield* SlowReader.make(4 * 1024)
      yield* stall
      const waits = yield* Effect.fork(Effect.suspend(() => writer.write(line) ?? Effect.void))
      for (let sent = 0; sent < 8; sent++) writer.add(line)
      assert.deepStrictEqual(gone, ["unread"])
      yield* Fiber.join(waits)
      writer.add(line)
      yield* goOn
      assert.deepStrictEqual([lines, gone], [["stalled"], ["unread"]])
      assert.isFalse(yield* writer.ask(() => line))
    })
  )

  it.scopedLive("writes what a step queues in one piece as soon as it is over, also when it fails", () =>
    Effect.gen(function* () {
      // This reader takes one piece and no more.
      const { lines, writer } = yield* SlowReader.make()
      const step = () => {
        writer.add("one")
        writer.add("two")
        assert.deepStrictEqual(lines, [])
        throw new Error("the step failed")
      }
      assert.throws(() => writer.together(step), "the step failed")
      assert.deepStrictEqual(lines, ["one", "two"])
    })
  )

  it.scopedLive("takes a line of any length from a reader that keeps up", () =>
    Effect.gen(function* () {
      const { gone, lines, writer } = yield* SlowReader.make(1024)
      writer.add("x".repeat(100_000))
      writer.add("short")
      assert.deepStrictEqual([lines.length, gone], [1, []])
    })
  )

  it.scopedLive("makes a question only when it goes out", () =>
    Effect.gen(function* () {
      const { goOn, lines, stall, writer } = yield* SlowReader.make()
      yield* stall
      const made: Array<string> = []
      const question = (text: string) => () => {
        made.push(text)
        return text
      }
      const one = yield* Effect.fork(writer.ask(question("one")))
      const other = yield* Effect.fork(writer.ask(question("other")))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(other)
      assert.deepStrictEqual(made, [])
      yield* goOn
      yield* goOn
      assert.isTrue(yield* Fiber.join(one))
      assert.deepStrictEqual([made, lines], [["one"], ["stalled", "one"]])
    })
  )

  it.scopedLive("tells whoever wants to know each time its reader keeps up again", () =>
    Effect.gen(function* () {
      const { goOn, stall, writer } = yield* SlowReader.make()
      let times = 0
      writer.onWritable(() => {
        times += 1
      })
      yield* stall
      assert.strictEqual(times, 0)
      yield* goOn
      yield* stall
      yield* goOn
      assert.strictEqual(times, 2)
    })
  )
})
