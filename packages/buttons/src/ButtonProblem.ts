/** What is wrong with a button folder, as a value that can be listed, logged or shown beside the file it names. */
import * as Effect from "effect/Effect"
import { excerpt } from "./internal/text.js"
import * as Printable from "./Printable.js"

/** An error keeps a button from being used; a warning does not. */
export type Severity = "error" | "warning"

export interface ButtonProblem {
  /**
   * The folder's name as it is on disk; of a definitions file its name, and for one of its buttons also `#` and the
   * button's; empty when the problem is the folder of buttons itself.
   */
  readonly slug: string
  /** Relative to the data directory, with forward slashes. */
  readonly file: string
  /** Counted from 1. */
  readonly line?: number
  /** Counted from 1, of a problem that has a line; in UTF-16 units. */
  readonly column?: number
  /** Path inside the file, such as `args[0].type`. */
  readonly field?: string
  readonly severity: Severity
  readonly message: string
}

/** `buttons/deploy/button.json:12: args[0].type: unknown type "number"`: one line, whatever names are on the disk. */
export const format = (problem: ButtonProblem): string => {
  const place = [problem.file, problem.line, problem.column].filter((part) => part !== undefined).join(":")
  const parts = problem.field === undefined ? [place] : [place, excerpt(problem.field)]
  return Printable.line([...parts, problem.message].join(": "))
}

export const log = (problem: ButtonProblem): Effect.Effect<void> =>
  problem.severity === "error" ? Effect.logError(format(problem)) : Effect.logWarning(format(problem))
