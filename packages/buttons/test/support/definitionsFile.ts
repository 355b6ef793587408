/** Decoding the text of a definitions file in tests, with commands that answer with what they were given. */

import * as Problem from "@pushbutton/buttons/ButtonProblem"
import { decode } from "@pushbutton/buttons/definitions/decodeDefinitions"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"

export const decodeText = (text: string) => decodeBytes(new TextEncoder().encode(text))

export const decodeBytes = (content: Uint8Array) =>
  decode(
    content,
    { name: "pushbutton.yaml", directory: "/project" },
    {
      run: ({ inlineCode, slug, timeoutSeconds }, args) =>
        Effect.succeed(JSON.stringify({ slug, code: inlineCode, timeoutSeconds, args })),
      readFile: (path) => Effect.succeed(Either.right(`content of ${path}`))
    }
  )

/** Each problem on one line: `error pushbutton.yaml:1:2: …`. */
export const problemsOf = (text: string) => Effect.map(decodeText(text), formatted)

export const problemsOfBytes = (content: Uint8Array) => Effect.map(decodeBytes(content), formatted)

const formatted = ({ problems }: { readonly problems: ReadonlyArray<Problem.ButtonProblem> }) =>
  problems.map((problem) => `${problem.severity} ${Problem.format(problem)}`)
