import { assert, describe, it } from "@effect/vitest"
import { assertRight } from "@effect/vitest/utils"
import * as Roots from "@pushbutton/protocol/Roots"
import * as Either from "effect/Either"
import { jsonValue } from "./arbitraries/json.js"

describe("Roots", () => {
  describe("readResult", () => {
    it("reads file roots, with and without a name", () => {
      assertRight(Roots.readResult({ roots: [] }), [])
      assertRight(
        Roots.readResult({ roots: [{ uri: "file:///a", name: "A", _meta: {} }, { uri: "file:///b%20c" }] }),
        [{ uri: "file:///a", name: "A" }, { uri: "file:///b%20c" }]
      )
    })

    it("refuses everything else", () => {
      for (const response of [
        null,
        [],
        {},
        { roots: {} },
        { roots: [null] },
        { roots: [{ uri: "https://a.example" }] },
        { roots: [{ uri: "file:///a b" }] },
        { roots: [{ uri: "file:///a", name: 1 }] },
        { roots: [{ uri: "file:///a" }, {}] }
      ]) {
        assert.isTrue(Either.isLeft(Roots.readResult(response)), JSON.stringify(response))
      }
    })

    it.prop("is total", [jsonValue], ([response]) => void Roots.readResult(response))
  })
})
