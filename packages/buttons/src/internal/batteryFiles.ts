/** Files of secrets. What is looked at is what is read: the file is opened first. */
import * as Fs from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as NodeError from "./nodeError.js"

const maxBytes = 1_048_576

/** The text, undefined where there is no file, or why it must not be used. */
export const read = (path: string): Effect.Effect<Either.Either<string | undefined, string>> =>
  Effect.promise(async () => {
    try {
      // A named pipe must not hold up the press.
      const file = await Fs.open(path, Fs.constants.O_RDONLY | Fs.constants.O_NONBLOCK)
      try {
        const stats = await file.stat()
        const obstacle = unusable(stats)
        return obstacle === undefined ? Either.right(await file.readFile("utf8")) : Either.left(obstacle)
      } finally {
        await file.close()
      }
    } catch (error) {
      const code = NodeError.code(error)
      if (code === "ENOENT" || code === "ENOTDIR") return Either.right(undefined)
      return Either.left(`cannot be read: ${code}`)
    }
  })

type Stats = Awaited<ReturnType<typeof Fs.stat>>

const unusable = (stats: Stats): string | undefined => {
  if (!stats.isFile()) return "is not a file"
  if (stats.size > maxBytes) return `is larger than ${maxBytes} bytes`
  const user = process.getuid?.()
  if (user === undefined) return undefined
  if (stats.uid !== user && stats.uid !== 0) return `belongs to another user (${stats.uid})`
  return (Number(stats.mode) & 0o077) === 0
    ? undefined
    : "can be read or changed by other users; take that away with chmod 600"
}
