/**
 * Asking a client of 2025-11-25 that can be sent nothing before the response: a page to visit ends the call with an
 * error that names it, and the client calls again when the user has been there. Nothing else can be asked so.
 */
import * as Capabilities from "@pushbutton/protocol/Capabilities"
import type { JsonObject } from "@pushbutton/protocol/Json"
import { UrlElicitationRequired } from "@pushbutton/protocol/ProtocolError"
import * as Effect from "effect/Effect"
import { RandomBytes } from "../RandomBytes.js"
import { type Answer, type Asking, type Question, Steps } from "./asking.js"
import * as Base64Url from "./base64url.js"
import { Frame } from "./frame.js"
import { idBytes, isVisit } from "./sessionClient.js"

export class UrlRequired implements Asking {
  readonly steps = new Steps()
  readonly frame = new Frame()
  private readonly pages = new Map<string, { readonly message: string; readonly url: string }>()
  /** Why nothing else can be asked. */
  private readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }

  get hasLeft(): boolean {
    return this.frame.hasLeft
  }

  supports(needs: JsonObject): boolean {
    return Capabilities.missing(needs, { elicitation: { url: {} } }) === undefined
  }

  answer(questions: ReadonlyArray<Question>): Effect.Effect<ReadonlyArray<Answer>> {
    return Effect.suspend(() => {
      const pages = questions.flatMap(({ key, request }) =>
        isVisit(request) ? [{ key, message: request.params.message, url: request.params.url }] : []
      )
      if (pages.length < questions.length) {
        return Effect.succeed(questions.map((): Answer => ({ _tag: "Unavailable", reason: this.reason })))
      }
      for (const { key, ...page } of pages) this.pages.set(key, page)
      return pages.length === 0 ? Effect.succeed([]) : this.frame.leave()
    })
  }

  /** Nothing is remembered of a visit once the call has ended. */
  complete(): Effect.Effect<void> {
    return Effect.void
  }

  /** How a call ends that was left for its pages. */
  readonly required: Effect.Effect<never, UrlElicitationRequired, RandomBytes> = Effect.suspend(() =>
    Effect.forEach(Array.from(this.pages.values()), (page) =>
      Effect.map(
        Effect.flatMap(RandomBytes, (random) => random.next(idBytes)),
        (bytes) => ({ ...page, elicitationId: Base64Url.encode(bytes) })
      )
    )
  ).pipe(
    Effect.flatMap((elicitations) =>
      Effect.fail(new UrlElicitationRequired({ version: "2025-11-25", elicitations }))
    )
  )
}
