/** A named pipe whose end tells, without asking again and again, when the last process that holds it is gone. */
import { execFileSync } from "node:child_process"
import { createReadStream } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { temporaryFolder } from "./buttons.js"

export interface Pipe {
  readonly path: string
  /** Completes when a process has opened the pipe for writing. */
  readonly opened: Effect.Effect<void>
  /** Completes when every process that opened the pipe for writing has ended. */
  readonly released: Effect.Effect<void>
}

export const make = Effect.map(temporaryFolder, (folder): Pipe => {
  const path = join(folder, "pipe")
  execFileSync("mkfifo", [path])
  const stream = createReadStream(path)
  const opened = new Promise<void>((resolve) => {
    stream.once("open", () => resolve())
  })
  const ended = new Promise<void>((resolve) => {
    stream.once("close", resolve)
  })
  stream.resume()
  return { path, opened: Effect.promise(() => opened), released: Effect.promise(() => ended) }
})
