/** Files of secrets. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Trust from "./fileTrust.js"
import * as RegularFiles from "./regularFiles.js"

/** The text, undefined where there is no file, or why it must not be used. */
export const read = (path: string): Effect.Effect<Either.Either<string | undefined, string>> =>
  Effect.sync(() =>
    Either.map(
      RegularFiles.readPresent(path, (stats) => Trust.exposure(stats, Trust.self())),
      (content) => content?.toString("utf8")
    )
  )
