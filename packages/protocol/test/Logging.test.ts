import { assert, describe, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import * as Logging from "@pushbutton/protocol/Logging"
import { InvalidParams } from "@pushbutton/protocol/ProtocolError"

describe("Logging", () => {
  // verifies: LOG-06
  it("orders the eight levels of syslog", () => {
    assert.deepStrictEqual(
      [...Logging.levels].sort((one, other) => Logging.severity(one) - Logging.severity(other)),
      ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
    )
    assert.isTrue(Logging.isAtLeast("warning", "warning"))
    assert.isTrue(Logging.isAtLeast("critical", "warning"))
    assert.isFalse(Logging.isAtLeast("notice", "warning"))
  })

  // verifies: LO-04
  it("reads the level that a session sets, and refuses what is none", () => {
    for (const level of Logging.levels) assertRight(Logging.decodeSetLevel({ level }), level)
    const detail =
      "params.level must be one of debug, info, notice, warning, error, critical, alert, emergency"
    for (const level of ["INFO", "trace", "", 3, null, ["info"]]) {
      assertLeft(Logging.decodeSetLevel({ level }), new InvalidParams({ detail }))
    }
    assertLeft(Logging.decodeSetLevel({}), new InvalidParams({ detail: "params.level is missing" }))
  })

  // verifies: LOG-08
  it.each<readonly [Logging.Entry, object]>([
    [
      { level: "info", data: "hello" },
      { level: "info", data: "hello" }
    ],
    [
      { level: "alert", data: null, logger: "db" },
      { level: "alert", logger: "db", data: null }
    ],
    [
      { level: "error", data: [{ a: 1 }], logger: undefined },
      { level: "error", data: [{ a: 1 }] }
    ]
  ])("encodes %j", (entry, params) => {
    assert.deepStrictEqual(JSON.parse(Logging.encodeMessage(entry)), {
      jsonrpc: "2.0",
      method: "notifications/message",
      params
    })
  })
})
