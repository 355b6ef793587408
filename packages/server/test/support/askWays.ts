/** One handler and one user, brought together in each way that a handler may ask. */
import type { LegacyVersion } from "@pushbutton/protocol/ProtocolVersion"
import * as Effect from "effect/Effect"
import { type Handler, withHandler } from "./asking.js"
import * as Modern from "./client.js"
import { connect } from "./legacyClient.js"

/** What the user makes of a question, whatever its revision. Undefined: the client answers with an error. */
export type User = (question: Question) => object | undefined

export interface Question {
  readonly method: string
  /** Of a form or page; else empty. */
  readonly message: string
}

export interface Conversation {
  readonly text: string | undefined
  readonly isError: boolean
  readonly code: number | undefined
  /** What was asked, in order. */
  readonly questions: ReadonlyArray<string>
}

export interface Way {
  readonly name: string
  readonly runsAgain: boolean
  readonly converse: (handler: Handler, user: User) => Effect.Effect<Conversation>
}

const inSession = (version: LegacyVersion, handlers: "wait" | "replay"): Way => ({
  name: `${version}, ${handlers}`,
  runsAgain: handlers === "replay",
  converse: (handler, user) =>
    withHandler(
      handler,
      Effect.gen(function* () {
        const questions: Array<string> = []
        const client = yield* connect(version, {
          user: ({ method, params }) => {
            const result = hear(questions, user, method, params)
            return result === undefined ? { error: { code: -1, message: "no" } } : { result }
          }
        })
        const reply = yield* client.call("t")
        return {
          text: reply?.text,
          isError: reply?.isError === true,
          code: reply?.error?.code,
          questions
        }
      }),
      { legacyAsks: { handlers } }
    )
})

const comingBack: Way = {
  name: "2026-07-28",
  runsAgain: true,
  converse: (handler, user) =>
    withHandler(
      handler,
      Effect.gen(function* () {
        const questions: Array<string> = []
        const next = (options?: Modern.Options): Effect.Effect<Modern.Reply, never, Needs> =>
          Effect.flatMap(Modern.call("t", options), (reply) =>
            reply.resultType === "input_required"
              ? next(
                  Modern.answering(
                    reply,
                    Object.fromEntries(
                      Object.entries(reply.inputRequests).map(([key, { method, params }]) => [
                        key,
                        hear(questions, user, method, params)
                      ])
                    )
                  )
                )
              : Effect.succeed(reply)
          )
        const { error, isError, text } = yield* next()
        return { text, isError, code: error?.code, questions }
      })
    )
}

type Needs = Effect.Effect.Context<ReturnType<typeof Modern.call>>

const hear = (questions: Array<string>, user: User, method: string, params: unknown) => {
  const { message = "" } = JSON.parse(JSON.stringify(params ?? {}))
  questions.push(message === "" ? method : message)
  return user({ method, message })
}

export const legacyWays: ReadonlyArray<Way> = [
  inSession("2025-11-25", "wait"),
  inSession("2025-11-25", "replay"),
  inSession("2025-06-18", "wait"),
  inSession("2025-06-18", "replay")
]

export const ways: ReadonlyArray<Way> = [...legacyWays, comingBack]
