import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import * as ProgressSteps from "../src/internal/progressSteps.js"

describe("progressSteps", () => {
  it("counts lines of a button that counts nothing itself", () => {
    const step = ProgressSteps.make()
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
    const step = ProgressSteps.make()
    assert.deepStrictEqual(step({ progress: 0.5, total: 1 }), { progress: 0.5, total: 1, message: undefined })
    const between = step({ message: "still there" })
    assert.isAbove(between.progress, 0.5)
    assert.isBelow(between.progress, 0.501)
    assert.strictEqual(step({ progress: 0.75, total: 1 }).progress, 0.75)
  })

  // verifies: P-20
  it("leaves out a total that the progress has passed", () => {
    const step = ProgressSteps.make()
    step({ progress: 5, total: 5 })
    assert.isUndefined(step({ progress: 1, total: 5 }).total)
  })

  it("always rises", () => {
    const update = fc.record({ progress: fc.double({ min: 0, max: 1e6, noNaN: true }) }, { requiredKeys: [] })
    fc.assert(
      fc.property(fc.array(update, { minLength: 2 }), (updates) => {
        const step = ProgressSteps.make()
        const numbers = updates.map((line) => step(line).progress)
        numbers.reduce((last, next) => {
          assert.isAbove(next, last)
          return next
        }, -1)
      })
    )
  })
})
