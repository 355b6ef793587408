import { assert, describe, it } from "@effect/vitest"
import * as ButtonError from "@pushbutton/buttons/ButtonError"
import * as PressRefused from "@pushbutton/buttons/PressRefused"

describe("ButtonError.toFailure", () => {
  it.each<[ButtonError.ButtonError, ButtonError.FailureCode, string]>([
    [new ButtonError.ButtonNotFound({ name: "x" }), "NOT_FOUND", 'There is no button "x"'],
    [
      new ButtonError.CatalogueUnreadable({ folder: "buttons", detail: "cannot be read: EMFILE" }),
      "STORAGE_ERROR",
      "The folder of buttons (buttons) cannot be read: EMFILE"
    ],
    [
      new ButtonError.ButtonBroken({
        slug: "x",
        mcpEnabled: true,
        problems: [
          {
            slug: "x",
            file: "buttons/x/button.json",
            line: 2,
            field: "name",
            severity: "error",
            message: "is wrong"
          }
        ]
      }),
      "VALIDATION_ERROR",
      'Button "x" cannot be used: buttons/x/button.json:2: name: is wrong'
    ],
    [
      new ButtonError.PressArgumentInvalid({
        code: "MISSING_ARG",
        issues: [{ argument: "a", reason: "missing", detail: '"a" is required' }]
      }),
      "MISSING_ARG",
      '"a" is required'
    ],
    [
      new ButtonError.RuntimeMissing({ runtime: "python", interpreters: ["python3", "python"] }),
      "RUNTIME_MISSING",
      'No interpreter for runtime "python": python3 or python was not found'
    ],
    [
      new ButtonError.CodeFileMissing({ slug: "x", file: "buttons/x/main.sh" }),
      "SCRIPT_ERROR",
      'Button "x" has no code: buttons/x/main.sh is missing'
    ],
    [
      new ButtonError.PromptUnreadable({ slug: "x", file: "buttons/x/AGENTS.md", detail: "is missing" }),
      "PROMPT_ERROR",
      "buttons/x/AGENTS.md cannot be read: is missing"
    ],
    [
      new ButtonError.HistoryUnwritable({ slug: "x", detail: "ENOSPC" }),
      "STORAGE_ERROR",
      'The history of button "x" cannot be written: ENOSPC'
    ]
  ])("says %s as %s", (error, code, message) => {
    assert.deepInclude(ButtonError.toFailure(error), { code, message })
  })

  it.each<[PressRefused.PressRefused, ButtonError.FailureCode, string, number?]>([
    [
      new PressRefused.PressRateExceeded({
        slug: "x",
        presses: 10,
        windowMillis: 60_000,
        retryAfterMillis: 1_001
      }),
      "RATE_LIMITED",
      'Button "x" was pressed 10 times within 60 s; try again in 2 s',
      1_001
    ],
    [
      new PressRefused.PressBusy({ slug: "x", queue: undefined, retryAfterMillis: 1_000 }),
      "BUSY",
      'Button "x" runs already, and runs one press at a time; try again in 1 s',
      1_000
    ],
    [
      new PressRefused.PressBusy({ slug: "x", queue: "q", retryAfterMillis: 1_000 }),
      "BUSY",
      'Queue "q", in which button "x" waits, is full; try again in 1 s',
      1_000
    ],
    [
      new PressRefused.QueueTimedOut({
        slug: "x",
        queue: "q",
        waitedMillis: 120_000,
        retryAfterMillis: 1_000
      }),
      "QUEUE_TIMEOUT",
      'Button "x" waited 120 s in queue "q" and was not started; try again in 1 s',
      1_000
    ],
    [
      new PressRefused.PressKeyConflict({ slug: "x" }),
      "KEY_CONFLICT",
      'The idempotency key was used for another press than this one of button "x"'
    ],
    [
      new PressRefused.PressOutcomeUnknown({ slug: "x", startedAt: "2026-04-18T09:53:45.123Z" }),
      "OUTCOME_UNKNOWN",
      'The press of button "x" under this key started at 2026-04-18T09:53:45.123Z and did not end by itself; it is not started again'
    ],
    [
      new PressRefused.PressKeyBusy({ slug: "x", retryAfterMillis: 1_000 }),
      "BUSY",
      'The press of button "x" under this key still runs; try again in 1 s',
      1_000
    ],
    [
      new PressRefused.PressKeysFailed({ detail: "ENOSPC" }),
      "STORAGE_ERROR",
      "Idempotency keys cannot be kept: ENOSPC"
    ]
  ])("says %s as %s, and when to try again", (error, code, message, retryAfterMillis) => {
    assert.deepStrictEqual(ButtonError.toFailure(error), {
      code,
      message,
      ...(retryAfterMillis === undefined ? {} : { retryAfterMillis })
    })
  })

  it("keeps a sentence short however much is wrong", () => {
    const issues = Array.from({ length: 5_000 }, (_, index) => ({
      argument: "x".repeat(1_000),
      reason: "undeclared" as const,
      detail: `${index}`
    }))
    const { message } = ButtonError.toFailure(
      new ButtonError.PressArgumentInvalid({ code: "VALIDATION_ERROR", issues })
    )
    assert.strictEqual(message, "0; 1; 2; 3; 4; 5; 6; 7; 8; 9; and 4990 more")
    assert.isBelow(
      ButtonError.toFailure(new ButtonError.ButtonNotFound({ name: "x".repeat(100_000) })).message.length,
      100
    )
  })
})
