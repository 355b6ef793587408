/** Events of a stream, read as a client reads them. */
import * as Effect from "effect/Effect"
import type { EventStream } from "./client.js"

export interface Event {
  readonly id: string | undefined
  readonly retry: string | undefined
  /** Parsed where there is any. */
  readonly message: ReturnType<typeof JSON.parse>
}

export const parse = (text: string): Event => {
  const fields = new Map(
    text.split("\n").map((line) => {
      const colon = line.indexOf(":")
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    })
  )
  const data = fields.get("data") ?? ""
  return {
    id: fields.get("id"),
    retry: fields.get("retry"),
    message: data === "" ? undefined : JSON.parse(data)
  }
}

/** The events of a stream that has ended. */
export const parseAll = (body: string): ReadonlyArray<Event> =>
  body
    .split("\n\n")
    .filter((text) => text !== "" && !text.startsWith(":"))
    .map(parse)

/** Takes the next event, comments aside. */
export const next = (stream: EventStream): Effect.Effect<Event> =>
  Effect.repeat(stream.next, { while: (text) => text.startsWith(":") }).pipe(Effect.map(parse))
