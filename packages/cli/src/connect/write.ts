/**
 * Puts an entry into a client's configuration file: the old text is kept beside it, the new one appears all at once,
 * and on any error the file is as it was.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as ConnectError from "./ConnectError.js"
import type * as Entry from "./entry.js"
import * as configFile from "./internal/configFile.js"
import * as merge from "./merge.js"

export interface Options {
  readonly file: string
  readonly entry: Entry.Entry
  /** Whether another entry of the same name gives way. */
  readonly replace: boolean
}

export type Outcome =
  | { readonly _tag: "Unchanged"; readonly file: string }
  | { readonly _tag: "Created"; readonly file: string }
  | { readonly _tag: "Updated"; readonly file: string; readonly backup: string }

/** `file` in the outcome is the file that was written: the target, when the one asked for is a link. */
export const write = Effect.fn("connect.write")(function* (
  options: Options
): Effect.fn.Return<Outcome, ConnectError.WriteError, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  const file = yield* configFile.target(fs, options.file)
  const before = yield* configFile.read(fs, file)
  const merged = yield* merge.merge({
    file: options.file,
    text: before?.text,
    entry: options.entry,
    replace: options.replace
  })
  if (merged._tag === "Unchanged") return { _tag: "Unchanged", file }
  const now = yield* Clock.currentTimeMillis
  const stamp = new Date(now).toISOString().replaceAll(":", "-")
  const backup = yield* configFile.replace(fs, { file, before, text: merged.text, stamp })
  return backup === undefined ? { _tag: "Created", file } : { _tag: "Updated", file, backup }
})
