/** Why a button was not written, as tagged values with their codes and sentences. */
import * as Data from "effect/Data"
import type { ButtonError, Failure } from "./ButtonError.js"
import { toFailure } from "./ButtonError.js"
import { firstOf, quote } from "./internal/text.js"

/** A button that no loader would take without a remark. */
export class ButtonInvalid extends Data.TaggedError("ButtonInvalid")<{
  readonly problems: ReadonlyArray<string>
}> {}

/** There is something of that name already, whatever it is and whoever sees it. */
export class ButtonExists extends Data.TaggedError("ButtonExists")<{ readonly slug: string }> {}

/** The button is part of a definitions file, which people edit. */
export class ButtonDefinedElsewhere extends Data.TaggedError("ButtonDefinedElsewhere")<{
  readonly slug: string
}> {}

export class ButtonUnwritable extends Data.TaggedError("ButtonUnwritable")<{
  readonly slug: string
  readonly detail: string
}> {}

/** There are as many buttons as whoever creates one may bring the folder to. */
export class TooManyButtons extends Data.TaggedError("TooManyButtons")<{ readonly limit: number }> {}

export type WriteRefused =
  | ButtonInvalid
  | ButtonExists
  | ButtonDefinedElsewhere
  | ButtonUnwritable
  | TooManyButtons

const shown = 10

export const toWriteFailure = (error: WriteRefused | ButtonError): Failure => {
  switch (error._tag) {
    case "ButtonInvalid":
      return {
        code: "VALIDATION_ERROR",
        message: firstOf(error.problems, shown, (count) => `and ${count} more`).join("; ")
      }
    case "ButtonExists":
      return { code: "ALREADY_EXISTS", message: `There is a button ${quote(error.slug)} already` }
    case "ButtonDefinedElsewhere":
      return {
        code: "VALIDATION_ERROR",
        message: `Button ${quote(error.slug)} is part of the definitions file; edit it there`
      }
    case "ButtonUnwritable":
      return {
        code: "STORAGE_ERROR",
        message: `Button ${quote(error.slug)} cannot be written: ${error.detail}`
      }
    case "TooManyButtons":
      return {
        code: "STORAGE_ERROR",
        message: `There are ${error.limit} buttons already; no more are made until some are removed`
      }
    default:
      return toFailure(error)
  }
}
