/** Reads a configuration file and replaces it in one step. */

import { dirname, resolve } from "node:path"
import type { PlatformError } from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as ConnectError from "../ConnectError.js"
import * as text from "./text.js"

export interface Contents {
  readonly bytes: Uint8Array
  readonly text: string
  /** Permission bits. */
  readonly mode: number
}

const failed =
  (step: string, file: string) =>
  (error: PlatformError): ConnectError.FileFailed =>
    new ConnectError.FileFailed({ file, step, detail: error.description ?? error.message })

const isMissing = (error: PlatformError): boolean =>
  error._tag === "SystemError" && error.reason === "NotFound"

/** Follows links to the file that they lead to, whether it exists or not. `realPath` refuses links in a circle. */
export const target = (
  fs: FileSystem.FileSystem,
  file: string
): Effect.Effect<string, ConnectError.FileFailed> =>
  Effect.catchAll(fs.realPath(file), (error) => {
    if (!isMissing(error)) return failed("find", file)(error)
    return Effect.matchEffect(fs.readLink(file), {
      onFailure: () => Effect.succeed(file),
      onSuccess: (link) => target(fs, resolve(dirname(file), link))
    })
  })

/** Undefined when there is no such file. Text that is not UTF-8 is refused: writing it back would change it. */
export const read = Effect.fnUntraced(function* (fs: FileSystem.FileSystem, file: string) {
  const bytes = yield* readBytes(fs, file)
  if (bytes === undefined) return undefined
  const info = yield* Effect.mapError(fs.stat(file), failed("read", file))
  const decoded = yield* Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    catch: () => new ConnectError.ConfigBroken({ file, ...firstBadByte(bytes), detail: "not UTF-8 text" })
  })
  const contents: Contents = { bytes, text: decoded, mode: info.mode & 0o7777 }
  return contents
})

const readBytes = (fs: FileSystem.FileSystem, file: string) =>
  fs.readFile(file).pipe(
    Effect.catchIf(isMissing, () => Effect.succeed(undefined)),
    Effect.mapError(failed("read", file))
  )

/** The bytes before the first bad one decode to the same text whether bad ones are refused or replaced. */
const firstBadByte = (bytes: Uint8Array) => {
  const lenient = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
  return text.position(lenient, lenient.indexOf("\uFFFD"))
}

/** Puts the text in place of what was read before; gives the backup's name when there was something to back up. */
export const replace = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  options: {
    readonly file: string
    readonly before: Contents | undefined
    readonly text: string
    readonly stamp: string
  }
) {
  const { before, file, stamp } = options
  yield* Effect.mapError(
    fs.makeDirectory(dirname(file), { recursive: true }),
    failed("create the folder of", file)
  )
  const bytes = new TextEncoder().encode(options.text)
  return yield* Effect.acquireUseRelease(
    Effect.as(
      create(fs, `${file}.${stamp}.tmp`, before === undefined ? 0o666 : 0o600),
      `${file}.${stamp}.tmp`
    ),
    Effect.fnUntraced(function* (temporary) {
      yield* fill(fs, temporary, bytes, before?.mode)
      yield* refuseIfChanged(fs, file, before)
      const backup = before === undefined ? undefined : `${file}.${stamp}.bak`
      if (backup !== undefined && before !== undefined) {
        yield* create(fs, backup, 0o600)
        yield* fill(fs, backup, before.bytes, before.mode)
      }
      yield* Effect.mapError(fs.rename(temporary, file), failed("replace", file))
      return backup
    }),
    (temporary) => Effect.ignore(fs.remove(temporary, { force: true }))
  )
})

/** An empty file where there was none. */
const create = (fs: FileSystem.FileSystem, file: string, mode: number) =>
  Effect.mapError(Effect.scoped(fs.open(file, { flag: "wx", mode })), failed("create", file))

/** Writes all bytes, to the disk and not only to its cache. */
const fill = (fs: FileSystem.FileSystem, file: string, bytes: Uint8Array, mode: number | undefined) =>
  fs.open(file, { flag: "r+" }).pipe(
    Effect.tap((open) => open.writeAll(bytes)),
    Effect.tap((open) => open.sync),
    Effect.scoped,
    Effect.zipRight(mode === undefined ? Effect.void : fs.chmod(file, mode)),
    Effect.mapError(failed("write", file))
  )

/** Clients write these files too; what one of them wrote meanwhile must not be lost. */
const refuseIfChanged = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  file: string,
  before: Contents | undefined
) {
  const now = yield* readBytes(fs, file)
  const same =
    now === undefined || before === undefined ? now === before : Buffer.compare(now, before.bytes) === 0
  if (!same) return yield* new ConnectError.ConfigChanged({ file })
})
