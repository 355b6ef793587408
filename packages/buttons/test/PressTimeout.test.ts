import { assert, describe, it } from "@effect/vitest"
import type * as PressResult from "@pushbutton/buttons/PressResult"
import * as PressTimeout from "@pushbutton/buttons/PressTimeout"

describe("PressTimeout.timeoutSeconds", () => {
  it.each<[number | undefined, number | undefined, PressResult.Caller, number, number?]>([
    [undefined, undefined, "cli", 300],
    [undefined, undefined, "mcp", 120],
    [undefined, 60, "mcp", 60],
    [undefined, 600, "mcp", 120],
    [undefined, 600, "cli", 600],
    [5, 600, "mcp", 5],
    [500, 60, "mcp", 120],
    [500, 60, "cli", 500],
    [0, 60, "cli", 60],
    [-1, undefined, "cli", 300],
    [Number.NaN, 60, "mcp", 60],
    [600, undefined, "mcp", 600, 3_600],
    [7_200, undefined, "mcp", 3_600, 3_600]
  ])("of request %s and button %s for %s is %i", (requested, own, caller, expected, limit) => {
    assert.strictEqual(PressTimeout.timeoutSeconds(requested, own, caller, limit), expected)
  })
})
