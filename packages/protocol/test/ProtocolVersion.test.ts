import { assert, describe, it } from "@effect/vitest"
import * as ProtocolVersion from "@pushbutton/protocol/ProtocolVersion"

describe("ProtocolVersion", () => {
  it("lists what is served, newest first", () => {
    assert.deepStrictEqual<unknown>(ProtocolVersion.modernVersions, ["2026-07-28"])
    assert.deepStrictEqual<unknown>(ProtocolVersion.legacyVersions, [
      "2025-11-25",
      "2025-06-18",
      "2025-03-26",
      "2024-11-05"
    ])
    assert.strictEqual(ProtocolVersion.latestLegacy, "2025-11-25")
  })

  it("tells served versions by era, letter for letter", () => {
    for (const version of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
      assert.isTrue(ProtocolVersion.isLegacy(version))
      assert.isFalse(ProtocolVersion.isModern(version))
    }
    assert.isTrue(ProtocolVersion.isModern("2026-07-28"))
    for (const other of ["2026-07-28 ", "2025-03-25", "2024-10-07", "", "constructor", "2027-01-01"]) {
      assert.isFalse(ProtocolVersion.isLegacy(other), other)
      assert.isFalse(ProtocolVersion.isModern(other), other)
    }
  })

  it("takes any date from the first modern revision on for modern", () => {
    for (const modern of ["2026-07-28", "2026-07-29", "2027-01-01", "9999-12-31"]) {
      assert.isTrue(ProtocolVersion.looksModern(modern), modern)
    }
    for (const other of ["2026-07-27", "2025-11-25", "3000", "draft", "2026-07-28x", "", "2026-7-28"]) {
      assert.isFalse(ProtocolVersion.looksModern(other), other)
    }
  })
})
