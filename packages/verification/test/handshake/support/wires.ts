/** How raw messages of a handshake revision travel: on a pipe, over HTTP in a session, or over HTTP+SSE. */
import { createInterface } from "node:readline"
import type { LegacyVersion } from "@pushbutton/protocol/ProtocolVersion"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Json } from "../../support/rawHttp.js"
import * as EventStream from "./eventStream.js"
import * as Fixture from "./fixture.js"

export interface Wire {
  /** Completes when the message is on its way; what comes back is received. */
  readonly send: (message: Json) => Promise<void>
  /** The client is ready: it listens to what belongs to no request. */
  readonly listen: () => Promise<void>
}

export type Receive = (message: Json) => void

export type Open = (version: LegacyVersion, receive: Receive) => Effect.Effect<Wire, never, Scope.Scope>

export const stdio: Open = (_, receive) =>
  Effect.map(Fixture.start("--stdio"), (child) => {
    createInterface(child.stdout).on("line", (line) => receive(JSON.parse(line)))
    return {
      send: async (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
      listen: async () => {}
    }
  })

/** From 2025-06-18 on clients repeat the version in a header. */
const versionHeader = (version: LegacyVersion): Record<string, string> =>
  version === "2024-11-05" || version === "2025-03-26" ? {} : { "mcp-protocol-version": version }

/** Ends every request with the scope. */
const aborting = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => new AbortController()),
    (controller) => Effect.sync(() => controller.abort())
  ),
  ({ signal }) => signal
)

export const http =
  (url: string): Open =>
  (version, receive) =>
    Effect.map(aborting, (signal) => {
      let session: Record<string, string> = {}
      const ask = (method: string, accept: string, body?: string) =>
        fetch(url, {
          method,
          signal,
          headers: { accept, ...(body && { "content-type": "application/json" }), ...session },
          ...(body && { body })
        })
      const read = (response: Response) =>
        EventStream.read(response, ({ data }) => {
          if (data !== "") receive(JSON.parse(data))
        }).catch(() => {})
      const answerTo = async (message: Json) => {
        const response = await ask("POST", "application/json, text/event-stream", JSON.stringify(message))
        const id = response.headers.get("mcp-session-id")
        if (id !== null) session = { "mcp-session-id": id, ...versionHeader(version) }
        if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
          void read(response)
          return
        }
        const text = await response.text()
        if (text !== "") receive(JSON.parse(text))
        else if (response.status !== 202) throw new Error(`${response.status} without a body`)
      }
      return {
        send: async (message) => {
          const answered = answerTo(message)
          // A response may be long in coming, and never comes to a test that is over.
          if (message.method !== undefined && message.id !== undefined) void answered.catch(() => {})
          else await answered
        },
        listen: async () => {
          const response = await ask("GET", "text/event-stream")
          if (response.status !== 200) throw new Error(`GET: ${response.status} ${await response.text()}`)
          void read(response)
        }
      }
    })

/** The first event of the stream names the URL to post to; whatever the server says comes on the stream. */
export const httpSse =
  (url: string): Open =>
  (_, receive) =>
    Effect.flatMap(aborting, (signal) =>
      Effect.promise(async () => {
        const response = await fetch(url, { signal, headers: { accept: "text/event-stream" } })
        const endpoint = await new Promise<URL>((resolve) => {
          void EventStream.read(response, ({ data, name }) => {
            if (name === "endpoint") resolve(new URL(data, url))
            else receive(JSON.parse(data))
          }).catch(() => {})
        })
        return {
          send: async (message) => {
            const { status } = await fetch(endpoint, {
              signal,
              method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify(message)
            })
            if (status >= 300 && status !== 400) throw new Error(`POST: ${status}`)
          },
          listen: async () => {}
        }
      })
    )
