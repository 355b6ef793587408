import { assert, describe, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import * as Completion from "@pushbutton/protocol/Completion"
import type { JsonObject } from "@pushbutton/protocol/Json"
import { InvalidParams } from "@pushbutton/protocol/ProtocolError"
import * as fc from "effect/FastCheck"
import { jsonObject, objectWith } from "./arbitraries/json.js"

const ref = { type: "ref/prompt", name: "review" } as const
const argument = { name: "city", value: "" }

const checkRefused = (params: JsonObject, detail: string) =>
  assertLeft(Completion.decodeCompleteParams(params, "2026-07-28"), new InvalidParams({ detail }))

describe("Completion", () => {
  describe("decodeCompleteParams", () => {
    it("reads references to prompts and to resources", () => {
      assertRight(Completion.decodeCompleteParams({ ref, argument }, "2026-07-28"), {
        ref,
        argument,
        context: {}
      })
      const resource = { type: "ref/resource", uri: "x://{id}" } as const
      assertRight(Completion.decodeCompleteParams({ ref: resource, argument }, "2025-11-25"), {
        ref: resource,
        argument,
        context: {}
      })
    })

    // verifies: EN-62, CO-04
    it("reads what is filled in already, where the revision has it", () => {
      const params = { ref, argument, context: { arguments: { country: "" } } }
      for (const version of ["2026-07-28", "2025-11-25", "2025-06-18"] as const) {
        assertRight(Completion.decodeCompleteParams(params, version), {
          ref,
          argument,
          context: { country: "" }
        })
      }
      for (const context of [{ arguments: { country: "" } }, { arguments: 1 }]) {
        for (const version of ["2025-03-26", "2024-11-05"] as const) {
          assertRight(Completion.decodeCompleteParams({ ref, argument, context }, version), {
            ref,
            argument,
            context: {}
          })
        }
      }
      assertRight(Completion.decodeCompleteParams({ ref, argument, context: {} }, "2026-07-28"), {
        ref,
        argument,
        context: {}
      })
    })

    // verifies: COMP-03
    it("refuses what is missing or ill-typed", () => {
      const noReference = "params.ref must be a ref/prompt with a name or a ref/resource with a uri"
      checkRefused({ argument }, "params.ref is missing")
      for (const wrong of [null, "review", [], {}, { type: "ref/tool", name: "a" }, { type: "ref/prompt" }]) {
        checkRefused({ ref: wrong, argument }, noReference)
      }
      checkRefused({ ref: { type: "ref/resource", name: "x" }, argument }, noReference)
      checkRefused({ ref }, "params.argument is missing")
      checkRefused({ ref, argument: "city" }, "params.argument must be an object")
      checkRefused({ ref, argument: { name: "city" } }, "params.argument.value is missing")
      checkRefused({ ref, argument: { name: "city", value: 1 } }, "params.argument.value must be a string")
      checkRefused({ ref, argument, context: null }, "params.context must be an object")
      checkRefused(
        { ref, argument, context: { arguments: [] } },
        "params.context.arguments must be an object"
      )
      checkRefused(
        { ref, argument, context: { arguments: { n: 1 } } },
        "params.context.arguments.n must be a string"
      )
    })

    it.prop(
      "is total on any params",
      [objectWith({ ref: jsonObject, argument: jsonObject, context: jsonObject })],
      ([params]) => {
        Completion.decodeCompleteParams(params, "2026-07-28")
      }
    )
  })

  describe("result", () => {
    const values = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`)

    it("holds all values up to a hundred", () => {
      assert.deepStrictEqual(Completion.result([]), { completion: { values: [], total: 0, hasMore: false } })
      assert.deepStrictEqual(Completion.result(values(100)), {
        completion: { values: values(100), total: 100, hasMore: false }
      })
    })

    it("holds the first hundred of more, and says how many there are", () => {
      assert.deepStrictEqual(Completion.result(values(101)), {
        completion: { values: values(100), total: 101, hasMore: true }
      })
    })

    it.prop("never holds more than a hundred", [fc.nat({ max: 500 })], ([count]) => {
      const { completion } = Completion.result(values(count))
      assert.isAtMost(completion.values.length, 100)
      assert.strictEqual(completion.total, count)
    })
  })
})
