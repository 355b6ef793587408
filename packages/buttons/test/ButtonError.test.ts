import { assert, describe, it } from "@effect/vitest"
import * as ButtonError from "@pushbutton/buttons/ButtonError"

describe("ButtonError.toFailure", () => {
  it.each<[ButtonError.ButtonError, string, string]>([
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
    assert.deepStrictEqual(ButtonError.toFailure(error), { code, message })
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
