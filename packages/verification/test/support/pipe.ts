/** A named pipe whose end tells, without asking again and again, when the last process that holds it is gone. */
import { execFileSync } from "node:child_process"
import { createReadStream } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { temporaryFolder } from "./buttons.js"

export interface Pipe {
  readonly path: string
  /** Completes when every process that opened the pipe for writing has ended. */
  readonly released: Effect.Effect<void>
}

export const make = Effect.map(temporaryFolder, (folder): Pipe => {
  const path = join(folder, "pipe")
  execFileSync("mkfifo", [path])
  const stream = createReadStream(path)
  const ended = new Promise<void>((resolve) => {
    stream.once("close", resolve)
  })
  stream.resume()
  return { path, released: Effect.promise(() => ended) }
})
