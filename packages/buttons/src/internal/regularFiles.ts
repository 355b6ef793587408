/**
 * Reading files whose names somebody else chose: only regular ones, no more than 1 MiB of them, and never waiting. They are
 * read at once: a way through other threads takes longer than the system does.
 */
import type { Buffer } from "node:buffer"
import * as Fs from "node:fs"
import * as Either from "effect/Either"
import type { Stats } from "./fileTrust.js"
import * as NodeError from "./nodeError.js"

export const maxFileBytes = 1_048_576

/** Left: why there is nothing to read. `obstacle` may say so of the file that was opened. */
export const read = (
  path: string,
  obstacle: (stats: Stats) => string | undefined = () => undefined
): Either.Either<Buffer, string> =>
  Either.flatMap(readPresent(path, obstacle), (content) =>
    content === undefined ? Either.left("is missing") : Either.right(content)
  )

/** The same, undefined where there is no file. */
export const readPresent = (
  path: string,
  obstacle: (stats: Stats) => string | undefined
): Either.Either<Buffer | undefined, string> => {
  try {
    if (Fs.statSync(path, { throwIfNoEntry: false }) === undefined) return Either.right(undefined)
    // A named pipe would keep whoever opens it waiting for its writer.
    const descriptor = Fs.openSync(path, Fs.constants.O_RDONLY | (Fs.constants.O_NONBLOCK ?? 0))
    try {
      const stats = Fs.fstatSync(descriptor)
      if (!stats.isFile()) return Either.left("is not a file")
      const reason = obstacle(stats)
      if (reason !== undefined) return Either.left(reason)
      if (stats.size > maxFileBytes) return Either.left(`is larger than ${maxFileBytes} bytes`)
      return Either.right(Fs.readFileSync(descriptor))
    } finally {
      Fs.closeSync(descriptor)
    }
  } catch (error) {
    const code = NodeError.code(error)
    return code === "ENOENT" ? Either.right(undefined) : Either.left(`cannot be read: ${code}`)
  }
}

/** As UTF-8, without a byte order mark. */
export const toText = (content: Buffer): string => {
  const text = content.toString("utf8")
  return text.startsWith("\uFEFF") ? text.slice(1) : text
}
