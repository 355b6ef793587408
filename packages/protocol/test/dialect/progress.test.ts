import { assert, describe, it } from "@effect/vitest"
import * as Dialect from "@pushbutton/protocol/dialect/Dialect"
import { legacyVersions, modernVersions } from "@pushbutton/protocol/ProtocolVersion"
import * as fc from "effect/FastCheck"

const finite = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.constant(-0))

describe("progress", () => {
  for (const version of [...modernVersions, ...legacyVersions]) {
    it(`is on one line what a JSON encoder makes of it (${version})`, () => {
      fc.assert(
        fc.property(
          fc.oneof(fc.string({ unit: "binary" }), fc.maxSafeInteger()),
          finite,
          fc.option(finite, { nil: undefined }),
          fc.option(fc.string({ unit: "binary" }), { nil: undefined }),
          (progressToken, progress, total, message) => {
            const text = Dialect.forVersion(version).progress(progressToken)(progress, total, message)
            const told = version === "2024-11-05" ? undefined : message
            const params = { progressToken, progress, total, message: told }
            assert.strictEqual(
              text,
              JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params })
            )
          }
        )
      )
    })
  }
})
