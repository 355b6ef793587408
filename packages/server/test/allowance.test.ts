import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { Allowance } from "../src/internal/allowance.js"

describe("Allowance", () => {
  it("allows a number at once, then one for each interval", () => {
    const allowance = new Allowance({ burst: 2, intervalMillis: 50 })
    assert.deepStrictEqual(
      [1_000, 1_000, 1_000, 1_049, 1_050, 1_050, 1_200, 1_200, 1_200].map((now) => allowance.take(now)),
      [0, 0, 50, 1, 0, 50, 0, 0, 50]
    )
  })

  it.prop(
    "never allows more in a span of time than the burst and one for each interval of it",
    [FastCheck.array(FastCheck.nat(200), { maxLength: 200 })],
    ([steps]) => {
      const allowance = new Allowance({ burst: 3, intervalMillis: 50 })
      let now = 0
      const taken: Array<number> = []
      for (const step of steps) {
        now += step
        if (allowance.take(now) === 0) taken.push(now)
      }
      for (const [index, from] of taken.entries()) {
        for (const [later, to] of taken.slice(index).entries()) {
          assert.isAtMost(later + 1, 3 + Math.floor((to - from) / 50))
        }
      }
    }
  )
})
