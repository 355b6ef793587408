/** Raw POSTs to the HTTP endpoint, as clients of each era send them. */
import * as Effect from "effect/Effect"

// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of any shape, and a wrong look fails the test.
export type Json = any

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The JSON of the body, or undefined when there is none. */
  readonly body: Json
  /** The messages of an event stream, the response last. */
  readonly events: ReadonlyArray<Json>
}

export interface Post {
  /** Sent as it is when it is a string. */
  readonly body: unknown
  readonly headers?: Record<string, string | undefined>
  readonly signal?: AbortSignal
}

const plain = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream"
}

/** The headers a modern client mirrors from its message. */
export const mirrored = (message: Json): Record<string, string> => {
  const version = message?.params?._meta?.["io.modelcontextprotocol/protocolVersion"]
  const name = message?.params?.name ?? message?.params?.uri ?? message?.params?.taskId
  return {
    ...(typeof version === "string" ? { "mcp-protocol-version": version } : {}),
    ...(typeof version === "string" && typeof message?.method === "string"
      ? { "mcp-method": message.method }
      : {}),
    ...(typeof version === "string" && typeof name === "string" ? { "mcp-name": name } : {})
  }
}

export const fetchRaw = (url: string, { body, headers = {}, signal }: Post) => {
  const all = { ...plain, ...mirrored(body), ...headers }
  return fetch(url, {
    method: "POST",
    headers: Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])) as [
      string,
      string
    ][],
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal })
  })
}

export const post = (url: string, request: Post): Effect.Effect<Answer> =>
  Effect.promise(async () => {
    const response = await fetchRaw(url, request)
    const text = await response.text()
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false
    const events = isStream ? eventsOf(text) : []
    const body = isStream ? events.at(-1) : text === "" ? undefined : JSON.parse(text)
    return { status: response.status, headers: response.headers, body, events }
  })

export const eventsOf = (text: string): ReadonlyArray<Json> =>
  text
    .split("\n\n")
    .flatMap((event) => event.split("\n").filter((line) => line.startsWith("data: ")))
    .map((line) => line.slice("data: ".length))
    // A priming event has no message.
    .flatMap((data) => (data === "" ? [] : [JSON.parse(data)]))
