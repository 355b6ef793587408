import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import * as ProgressSteps from "../src/internal/progressSteps.js"

describe("progressSteps", () => {
  it("counts lines of a button that counts nothing itself", () => {
    const { next: step } = ProgressSteps.make()
    assert.deepStrictEqual(
      [step({ message: "one" }), step({ message: "two" })].map(({ message, progress }) => [
        progress,
        message
      ]),
      [
        [1, "one"],
        [2, "two"]
      ]
    )
  })

  it("keeps a button's own numbers, and moves by next to nothing between them", () => {
    const { next: step } = ProgressSteps.make()
    assert.deepStrictEqual(step({ progress: 0.5, total: 1 }), { progress: 0.5, total: 1, message: undefined })
    const between = step({ message: "still there" })
    assert.isAbove(between.progress, 0.5)
    assert.isBelow(between.progress, 0.501)
    assert.strictEqual(step({ progress: 0.75, total: 1 }).progress, 0.75)
  })

  // verifies: P-20
  it("leaves out a total that the progress has passed", () => {
    const { next: step } = ProgressSteps.make()
    step({ progress: 5, total: 5 })
    assert.isUndefined(step({ progress: 1, total: 5 }).total)
  })

  it("gives signs of life that take no room from the button's own numbers", () => {
    const { beat, next } = ProgressSteps.make()
    const early = beat("15 s")
    assert.deepStrictEqual([early.total, early.message], [undefined, "15 s"])
    assert.deepStrictEqual(next({ progress: 1, total: 3, message: "one" }), {
      progress: 1,
      total: 3,
      message: "one"
    })
    const between = beat("30 s")
    assert.isAbove(between.progress, 1)
    assert.isBelow(between.progress, 1.001)
    assert.deepStrictEqual([between.total, between.message], [3, "one"])
    assert.strictEqual(next({ progress: 2, total: 3 }).progress, 2)
  })

  it("always rises", () => {
    const update = fc.option(
      fc.record({ progress: fc.double({ min: 0, max: 1e6, noNaN: true }) }, { requiredKeys: [] })
    )
    fc.assert(
      fc.property(fc.array(update, { minLength: 2 }), (updates) => {
        const { beat, next } = ProgressSteps.make()
        const numbers = updates.map((line) => (line === null ? beat("still there") : next(line)).progress)
        numbers.reduce((last, next) => {
          assert.isAbove(next, last)
          return next
        }, -1)
      })
    )
  })
})
