import { assert, describe, it } from "@effect/vitest"
import * as Logging from "@pushbutton/protocol/Logging"

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
