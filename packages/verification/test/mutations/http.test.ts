import { assert, describe, it } from "@effect/vitest"
import * as HttpTransport from "@pushbutton/http/HttpTransport"
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "./support/fixture.js"
import * as Generate from "./support/generate.js"
import { headersOf } from "./support/headers.js"
import * as Post from "./support/post.js"
import * as Random from "./support/random.js"
import * as Replies from "./support/replies.js"

const count = 20_000

const statuses = new Set([200, 202, 400, 403, 404, 406, 415])

interface Trial {
  readonly mutant: Generate.Mutant
  readonly headers: Record<string, string>
  /** Whether nothing of the headers keeps the message from being looked at. */
  readonly isLookedAt: boolean
}

const trial = (number: number, random: Random.Random): Trial => {
  const mutant = Generate.mutant(number, random)
  const { areRight, headers } = headersOf(mutant.sent, random)
  return { mutant, headers, isLookedAt: areRight }
}

const problemOf = ({ isLookedAt, mutant }: Trial, answer: Post.Answer): string | undefined => {
  if (answer.problem !== undefined) return answer.problem
  if (!statuses.has(answer.status)) return `the status is ${answer.status}`
  const replies = answer.messages.map((text): JsonObject => JSON.parse(text))
  const wrong = replies.map((reply) => Replies.problemOf(reply, mutant.sent?.method))
  const problem = wrong.find((one) => one !== undefined)
  if (problem !== undefined) return `${problem}\n${answer.messages.join("\n").slice(0, 2_000)}`
  if (mutant.sent === undefined || !isLookedAt) return undefined
  const last = replies.at(-1)
  const isAnswered = last !== undefined && ("method" in last || last["id"] === mutant.sent.id)
  return isAnswered ? undefined : `no answer to its id, but ${answer.messages.join("\n").slice(0, 2_000)}`
}

describe("mutated messages over HTTP", () => {
  // verifies: CORE-21, CORE-02, CORE-04, CORE-09, CORE-10, CORE-11, CORE-14, CORE-20, CORE-22, CORE-24
  // verifies: CORE-28, HTTP-14, HTTP-18, META-14, META-17
  it.scopedLive(
    `${count} of them are answered by the schema, each by itself, and break nothing`,
    () =>
      Effect.gen(function* () {
        const { seed } = Random
        const random = Random.make(seed)
        const { broken, layer } = yield* Fixture.make
        const context = yield* Layer.build(
          Layer.provide(HttpTransport.layer({ port: 0, drainGrace: 0 }), layer)
        )
        const { url } = Context.get(context, HttpTransport.HttpTransport)
        const agent = yield* Effect.acquireRelease(Effect.sync(Post.agent), (made) =>
          Effect.sync(() => made.destroy())
        )
        const check = (problem: string | undefined, { headers, mutant }: Trial) => {
          if (problem === undefined && broken.length === 0) return
          assert.fail(
            [problem, ...broken, JSON.stringify(headers), Generate.describe(seed, mutant)].join("\n")
          )
        }
        const one = (number: number) =>
          Effect.suspend(() => {
            const given = trial(number, random)
            const { headers, mutant } = given
            return Post.post(url, agent, headers, mutant.line).pipe(
              Effect.timeoutOption(Fixture.patience),
              Effect.map((answer) =>
                Option.isNone(answer) ? "never answered" : problemOf(given, answer.value)
              ),
              Effect.flatMap((problem) => Effect.sync(() => check(problem, given)))
            )
          })
        const numbers = Array.from({ length: count }, (_, number) => number)
        yield* Effect.forEach(numbers, one, { concurrency: 8, discard: true })
      }),
    // Twenty thousand requests, next to everything else that a test run keeps busy.
    180_000
  )
})
