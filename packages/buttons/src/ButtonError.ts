/**
 * Why a press was refused, as tagged values, and the only map from them to codes and sentences.
 * Sentences name files relative to the data directory and never repeat an argument's value.
 */
import * as Data from "effect/Data"
import type { ButtonProblem } from "./ButtonProblem.js"
import * as Problem from "./ButtonProblem.js"
import { firstOf, quote } from "./internal/text.js"
import * as PressRefused from "./PressRefused.js"
import * as Printable from "./Printable.js"

/** No such button, or one that this caller may not see: the two are alike on purpose. */
export class ButtonNotFound extends Data.TaggedError("ButtonNotFound")<{ readonly name: string }> {}

/** The folder of buttons is there but cannot be read, so that nobody knows which buttons exist. */
export class CatalogueUnreadable extends Data.TaggedError("CatalogueUnreadable")<{
  /** Relative to the data directory. */
  readonly folder: string
  readonly detail: string
}> {}

/** The folder is there but its definition has errors. */
export class ButtonBroken extends Data.TaggedError("ButtonBroken")<{
  readonly slug: string
  /** Whether the definition shows the button to MCP callers; undefined when it cannot be read. */
  readonly mcpEnabled: boolean | undefined
  readonly problems: ReadonlyArray<ButtonProblem>
}> {}

export interface ArgumentIssue {
  readonly argument: string
  readonly reason: "missing" | "undeclared" | "invalid"
  readonly detail: string
}

/** Every argument that was refused. `MISSING_ARG` when all that is wrong is that some are missing. */
export class PressArgumentInvalid extends Data.TaggedError("PressArgumentInvalid")<{
  readonly code: "MISSING_ARG" | "VALIDATION_ERROR"
  readonly issues: ReadonlyArray<ArgumentIssue>
}> {}

export class RuntimeMissing extends Data.TaggedError("RuntimeMissing")<{
  readonly runtime: string
  readonly interpreters: ReadonlyArray<string>
}> {}

export class CodeFileMissing extends Data.TaggedError("CodeFileMissing")<{
  readonly slug: string
  readonly file: string
}> {}

/** A prompt button's note cannot be read. */
export class PromptUnreadable extends Data.TaggedError("PromptUnreadable")<{
  readonly slug: string
  readonly file: string
  readonly detail: string
}> {}

/** Batteries that a button requires are not there. */
export class BatteryMissing extends Data.TaggedError("BatteryMissing")<{
  readonly slug: string
  readonly names: ReadonlyArray<string>
}> {}

/** A file of batteries cannot be used, and the button requires some. */
export class BatteriesUnreadable extends Data.TaggedError("BatteriesUnreadable")<{
  readonly slug: string
  /** `batteries.json`, with the name of the folder that it is in. */
  readonly file: string
  readonly detail: string
}> {}

/** A run could not be written to a button's history. */
export class HistoryUnwritable extends Data.TaggedError("HistoryUnwritable")<{
  readonly slug: string
  readonly detail: string
}> {}

export type ButtonError =
  | ButtonNotFound
  | CatalogueUnreadable
  | ButtonBroken
  | PressArgumentInvalid
  | RuntimeMissing
  | CodeFileMissing
  | PromptUnreadable
  | BatteryMissing
  | BatteriesUnreadable
  | HistoryUnwritable
  | PressRefused.PressRefused

/** The codes of the button format; the last four are also outcomes of a press that started. */
export type FailureCode =
  | PressRefused.RefusalCode
  | "NOT_FOUND"
  | "MISSING_ARG"
  | "VALIDATION_ERROR"
  | "ALREADY_EXISTS"
  | "RUNTIME_MISSING"
  | "STORAGE_ERROR"
  | "PROMPT_ERROR"
  | "PRESS_ERROR"
  | "SCRIPT_ERROR"
  | "TIMEOUT"
  | "CANCELLED"

export interface Failure {
  readonly code: FailureCode
  readonly message: string
  /** When to try again. */
  readonly retryAfterMillis?: number
}

export const toFailure = (error: ButtonError): Failure => {
  switch (error._tag) {
    case "ButtonNotFound":
      return { code: "NOT_FOUND", message: `There is no button ${quote(error.name)}` }
    case "CatalogueUnreadable":
      return {
        code: "STORAGE_ERROR",
        message: `The folder of buttons (${Printable.line(error.folder)}) ${error.detail}`
      }
    case "ButtonBroken":
      return {
        code: "VALIDATION_ERROR",
        message: `Button ${quote(error.slug)} cannot be used: ${some(error.problems.map(Problem.format))}`
      }
    case "PressArgumentInvalid":
      return { code: error.code, message: some(error.issues.map((issue) => issue.detail)) }
    case "RuntimeMissing":
      return {
        code: "RUNTIME_MISSING",
        message: `No interpreter for runtime ${quote(error.runtime)}: ${error.interpreters.join(" or ")} was not found`
      }
    case "CodeFileMissing":
      return {
        code: "SCRIPT_ERROR",
        message: `Button ${quote(error.slug)} has no code: ${error.file} is missing`
      }
    case "PromptUnreadable":
      return { code: "PROMPT_ERROR", message: `${error.file} cannot be read: ${error.detail}` }
    case "BatteryMissing":
      return {
        code: "PRESS_ERROR",
        message: `Button ${quote(error.slug)} requires ${some(error.names.map(quote))}, which batteries.json does not hold`
      }
    case "BatteriesUnreadable":
      return {
        code: "PRESS_ERROR",
        message: `Button ${quote(error.slug)} requires batteries, but ${Printable.line(error.file)} ${error.detail}`
      }
    case "HistoryUnwritable":
      return {
        code: "STORAGE_ERROR",
        message: `The history of button ${quote(error.slug)} cannot be written: ${error.detail}`
      }
    default:
      return PressRefused.toRefusal(error)
  }
}

const shown = 10

const some = (texts: ReadonlyArray<string>): string =>
  firstOf(texts, shown, (count) => `and ${count} more`).join("; ")
