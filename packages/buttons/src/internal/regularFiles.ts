/** Reading files whose names somebody else chose: only regular ones, no more than 1 MiB of them, and never waiting. */
import type { Buffer } from "node:buffer"
import { constants } from "node:fs"
import * as Fs from "node:fs/promises"
import * as Either from "effect/Either"
import type { Stats } from "./fileTrust.js"
import * as NodeError from "./nodeError.js"

export const maxFileBytes = 1_048_576

/** Left: why there is nothing to read. `obstacle` may say so of the file that was opened. */
export const read = async (
  path: string,
  obstacle: (stats: Stats) => Promise<string | undefined> = async () => undefined
): Promise<Either.Either<Buffer, string>> => {
  try {
    // A named pipe would keep whoever opens it waiting for its writer.
    const file = await Fs.open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stats = await file.stat()
      if (!stats.isFile()) return Either.left("is not a file")
      const reason = await obstacle(stats)
      if (reason !== undefined) return Either.left(reason)
      if (stats.size > maxFileBytes) return Either.left(`is larger than ${maxFileBytes} bytes`)
      return Either.right(await file.readFile())
    } finally {
      await file.close()
    }
  } catch (error) {
    const code = NodeError.code(error)
    return Either.left(code === "ENOENT" ? "is missing" : `cannot be read: ${code}`)
  }
}

/** As UTF-8, without a byte order mark. */
export const toText = (content: Buffer): string => {
  const text = content.toString("utf8")
  return text.startsWith("\uFEFF") ? text.slice(1) : text
}
