import * as Data from "effect/Data"

/** The command ends with exit code 1, after its message; an empty one means that all has been said. */
export class Failed extends Data.TaggedError("Failed")<{ readonly message: string }> {}
