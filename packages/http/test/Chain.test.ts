import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { Chain, type Link } from "../src/internal/Chain.js"

/** Adds an item, or takes out the one at this place of those that are left. */
const step = FastCheck.oneof(FastCheck.constant("add" as const), FastCheck.nat(20))

describe("Chain", () => {
  it("is what is left of all that was added, in order, whatever was taken out", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(step, { maxLength: 100 }), (steps) => {
        const chain = new Chain<number>()
        let left: ReadonlyArray<Link<number>> = []
        for (const [count, step] of steps.entries()) {
          if (step === "add") left = [...left, chain.add(count)]
          else {
            const taken = left[step % left.length]
            if (taken !== undefined) chain.take(taken)
            left = left.filter((link) => link !== taken)
          }
          assert.deepStrictEqual(
            Array.from(chain),
            left.map(({ item }) => item)
          )
          assert.strictEqual(chain.size, left.length)
          assert.strictEqual(chain.first, left[0])
          assert.strictEqual(chain.last, left.at(-1))
        }
      })
    )
  })
})
