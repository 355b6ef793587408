import { assert, describe, it } from "@effect/vitest"
import { distrust } from "../src/internal/fileTrust.js"

describe("distrust", () => {
  const owners = new Set([0, 1000])

  it.each([
    ["the user's own file", 1000, 0o100700, undefined],
    ["root's file", 0, 0o100755, undefined],
    ["a file that the group may write", 1000, 0o100775, undefined],
    ["another user's file", 1001, 0o100700, "belongs to another user (1001), who could change what it does"],
    [
      "a file that all may write",
      1000,
      0o100702,
      "can be changed by every user; take that away with chmod o-w"
    ],
    [
      "a folder that all may write",
      0,
      0o040777,
      "can be changed by every user; take that away with chmod o-w"
    ]
  ])("says of %s", (_, uid, mode, expected) => {
    assert.strictEqual(distrust({ uid, mode }, owners), expected)
  })

  it("has nothing to say where there are no users", () => {
    assert.isUndefined(distrust({ uid: 7, mode: 0o100777 }, undefined))
  })
})
