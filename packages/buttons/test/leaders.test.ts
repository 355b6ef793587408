import { assert, describe, it } from "@effect/vitest"
import * as Leaders from "../src/internal/leaders.js"

describe("leaders", () => {
  it("know which of two came later, by when they were noted and not by their numbers", () => {
    for (const leader of [70_001, 70_009, 70_005]) Leaders.note(leader)
    assert.isTrue(Leaders.isLater(70_009, 70_001))
    assert.isTrue(Leaders.isLater(70_005, 70_009))
    assert.isFalse(Leaders.isLater(70_001, 70_009))
    assert.isFalse(Leaders.isLater(70_001, 70_001))
  })

  it("know nothing of others", () => {
    Leaders.note(70_101)
    assert.isFalse(Leaders.isLater(70_102, 70_101))
    assert.isFalse(Leaders.isLater(70_101, 70_102))
  })

  it("take a number that comes back for the last one that had it", () => {
    for (const leader of [70_201, 70_202, 70_201]) Leaders.note(leader)
    assert.isTrue(Leaders.isLater(70_201, 70_202))
    assert.isFalse(Leaders.isLater(70_202, 70_201))
  })

  it("forget what was long ago", () => {
    Leaders.note(70_301)
    for (let leader = 80_000; leader < 80_200; leader++) Leaders.note(leader)
    assert.isFalse(Leaders.isLater(80_199, 70_301))
    assert.isTrue(Leaders.isLater(80_199, 80_198))
  })
})
