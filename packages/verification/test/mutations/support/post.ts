/** POSTs bytes to the endpoint, and reads what comes back as far as a peer would. */
import * as Http from "node:http"
import * as Effect from "effect/Effect"

export interface Answer {
  readonly status: number
  /** JSON texts: the body, or the events of a stream. */
  readonly messages: ReadonlyArray<string>
  readonly problem?: string
}

const events = (text: string): ReadonlyArray<string> =>
  text
    .split("\n\n")
    .slice(0, -1)
    .flatMap((event) =>
      event.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []))
    )

/** A stream that acknowledges a subscription would stay open: that one is left after its first event. */
const isOpen = (text: string): boolean => text.includes('"notifications/subscriptions/acknowledged"')

export const agent = () => new Http.Agent({ keepAlive: true, maxSockets: 8 })

export const post = (
  url: string,
  agent: Http.Agent,
  headers: Record<string, string>,
  body: Uint8Array
): Effect.Effect<Answer> =>
  Effect.async((resume) => {
    const request = Http.request(url, { method: "POST", headers, agent }, (response) => {
      const status = response.statusCode ?? 0
      const type = response.headers["content-type"] ?? ""
      let text = ""
      const answer = (): Answer => {
        if (type.startsWith("text/event-stream")) return { status, messages: events(text) }
        if (type.startsWith("application/json")) return { status, messages: [text] }
        return text === "" ? { status, messages: [] } : { status, messages: [], problem: `a body of ${type}` }
      }
      response.setEncoding("utf8")
      response.on("data", (chunk: string) => {
        text += chunk
        if (!isOpen(text) || events(text).length === 0) return
        resume(Effect.succeed(answer()))
        request.destroy()
      })
      response.on("end", () => resume(Effect.succeed(answer())))
      response.on("error", () => {})
    })
    request.on("error", (error) =>
      resume(Effect.succeed({ status: 0, messages: [], problem: error.message }))
    )
    request.end(body)
    return Effect.sync(() => void request.destroy())
  })
