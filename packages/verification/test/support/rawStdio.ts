/** A peer that writes raw lines to the stdio binary and reads its lines one by one. */
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Binary from "./binary.js"

export interface Message {
  readonly id?: string | number
  readonly method?: string
  readonly params?: { readonly [key: string]: unknown }
  readonly result?: { readonly [key: string]: unknown }
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export interface RawStdio {
  readonly send: (...lines: ReadonlyArray<unknown>) => Effect.Effect<void>
  /** Bytes as they are. */
  readonly sendBytes: (bytes: Uint8Array) => Effect.Effect<void>
  readonly next: Effect.Effect<Message>
  /** The next response to this id; notifications and other responses before it are kept in `seen`. */
  readonly responseTo: (id: string | number) => Effect.Effect<Message>
  readonly seen: ReadonlyArray<Message>
  readonly hangUp: Effect.Effect<void>
  readonly binary: Binary.Binary
}

export const open = (folder: string, args: ReadonlyArray<string> = [], env: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const binary = yield* Binary.start(["stdio", "--dir", folder, ...args], env)
    const queue = yield* Queue.unbounded<string>()
    const seen: Array<Message> = []
    let rest = ""
    binary.process.stdout.on("data", (text: string) => {
      const lines = (rest + text).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) Queue.unsafeOffer(queue, line)
    })
    const next = Effect.map(Queue.take(queue), (line): Message => {
      const message: Message = JSON.parse(line)
      seen.push(message)
      return message
    })
    const responseTo = (id: string | number): Effect.Effect<Message> =>
      Effect.flatMap(next, (message) =>
        message.id === id && message.method === undefined ? Effect.succeed(message) : responseTo(id)
      )
    const write = (bytes: Uint8Array | string) => Effect.sync(() => void binary.process.stdin.write(bytes))
    const raw: RawStdio = {
      binary,
      seen,
      next,
      responseTo,
      sendBytes: write,
      send: (...lines) =>
        Effect.forEach(
          lines,
          (line) => write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`),
          { discard: true }
        ),
      hangUp: Effect.sync(() => void binary.process.stdin.end())
    }
    return raw
  })
