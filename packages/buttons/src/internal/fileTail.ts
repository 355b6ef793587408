/**
 * Follows a file that grows: every line reaches the reader once, in order, and the last ones at the end. Lines are
 * bounded, and so is all that is read, since whoever writes the file decides how much there is.
 */
import { Buffer } from "node:buffer"
import * as Fs from "node:fs"
import * as FsPromises from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"

export const maxLineBytes = 8_192
export const maxFileBytes = 16_777_216

export interface FileTail {
  /** Delivers what was written until now, an unfinished last line included, and stops following. */
  readonly finish: Effect.Effect<void>
}

/**
 * Follows from the beginning of the file, and opens it when whoever writes it has had a moment: most have ended by then
 * and have written nothing. A file that cannot be opened has no lines.
 */
export const follow = (
  path: string,
  onLine: (line: string) => Effect.Effect<void>
): Effect.Effect<FileTail, never, Scope.Scope> =>
  Effect.gen(function* () {
    const wakes = yield* Queue.sliding<void>(1)
    const lines = makeLines(maxLineBytes)
    let isOpen = false
    let finishing = false

    const followOpened = Effect.gen(function* () {
      isOpen = true
      const handle = yield* open(path)
      if (Option.isNone(handle)) return
      yield* watch(path, () => wakes.unsafeOffer(undefined))
      const buffer = Buffer.alloc(65_536)
      let offset = 0
      const readAvailable = Effect.gen(function* () {
        while (offset < maxFileBytes) {
          const bytes = yield* readAt(handle.value, buffer, offset)
          if (bytes === 0) {
            // A script that writes with `>` instead of `>>` starts the file over.
            if (offset === 0 || (yield* sizeOf(handle.value)) >= offset) return
            offset = 0
            lines.rest()
            continue
          }
          offset += bytes
          yield* Effect.forEach(lines.push(buffer.subarray(0, bytes)), onLine, { discard: true })
        }
      })
      for (;;) {
        const last = finishing
        yield* readAvailable
        if (last) return
        yield* Effect.timeoutOption(Queue.take(wakes), pollMillis)
      }
    })

    const fiber = yield* Effect.forkScoped(
      // Whoever follows may not be interruptible; a reader that never returns must not hold the scope.
      Effect.interruptible(
        Effect.zipRight(Effect.timeoutOption(Queue.take(wakes), patienceMillis), Effect.scoped(followOpened))
      )
    )
    return {
      finish: Effect.gen(function* () {
        finishing = true
        if (!isOpen && isEmpty(path)) return
        wakes.unsafeOffer(undefined)
        yield* Fiber.join(fiber)
        const rest = lines.rest()
        if (rest !== undefined) yield* onLine(rest)
      })
    }
  })

const isEmpty = (path: string): boolean => {
  try {
    return (Fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0
  } catch {
    return true
  }
}

/** Longer than most programs take. */
const patienceMillis = 50

/** For file systems that do not report changes. */
const pollMillis = 250

const open = (path: string) =>
  Effect.acquireRelease(
    Effect.option(Effect.tryPromise(() => FsPromises.open(path, "r"))),
    Option.match({
      onNone: () => Effect.void,
      // Nothing can be lost by closing a file that was only read.
      onSome: (handle) => Effect.ignore(Effect.tryPromise(() => handle.close()))
    })
  )

const watch = (path: string, onChange: () => void) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      try {
        // Without watches, which a system may run out of, polling remains.
        return Fs.watch(path, { persistent: false }, onChange).on("error", () => {})
      } catch {
        return undefined
      }
    }),
    (watcher) => Effect.sync(() => watcher?.close())
  )

const readAt = (handle: FsPromises.FileHandle, buffer: Buffer, offset: number) =>
  Effect.map(
    // An unreadable file has no more lines; the press itself goes on.
    Effect.option(Effect.tryPromise(() => handle.read(buffer, 0, buffer.length, offset))),
    Option.match({ onNone: () => 0, onSome: ({ bytesRead }) => bytesRead })
  )

const sizeOf = (handle: FsPromises.FileHandle) =>
  Effect.map(
    Effect.option(Effect.tryPromise(() => handle.stat())),
    Option.match({ onNone: () => Number.POSITIVE_INFINITY, onSome: ({ size }) => size })
  )

export interface Lines {
  /** The lines that this chunk completes. */
  readonly push: (chunk: Uint8Array) => ReadonlyArray<string>
  /** The unfinished line, which is forgotten. */
  readonly rest: () => string | undefined
}

/** Splits bytes at line feeds. Of a line that is too long the beginning is kept. */
export const makeLines = (limitBytes: number): Lines => {
  let parts: Array<Buffer> = []
  let bytes = 0
  const keep = (part: Uint8Array) => {
    const room = Math.max(0, limitBytes - bytes)
    if (room > 0 && part.length > 0) parts.push(Buffer.from(part.subarray(0, room)))
    bytes += Math.min(room, part.length)
  }
  const end = (): string => {
    const line = Buffer.concat(parts).toString("utf8")
    parts = []
    bytes = 0
    return line.endsWith("\r") ? line.slice(0, -1) : line
  }
  return {
    push: (chunk) => {
      const lines: Array<string> = []
      let from = 0
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
        keep(chunk.subarray(from, at))
        lines.push(end())
        from = at + 1
      }
      keep(chunk.subarray(from))
      return lines
    },
    rest: () => (bytes === 0 ? undefined : end())
  }
}
