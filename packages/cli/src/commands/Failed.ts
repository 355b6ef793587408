import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Output from "../Output.js"

/** The command ends with exit code 1, after its message; an empty one means that all has been said. */
export class Failed extends Data.TaggedError("Failed")<{ readonly message: string }> {}

/** Says why nothing was done, to a person or to a program, and fails. */
export const refuse = (
  failure: { readonly code: string; readonly message: string },
  asJson: boolean
): Effect.Effect<never, Failed> =>
  asJson
    ? Effect.zipRight(Output.failure(failure), new Failed({ message: "" }))
    : new Failed({ message: failure.message })
