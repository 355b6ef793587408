/**
 * Carries out the request of an HTTP button: finds the addresses of its host, checks every one, sends to those, and does
 * the same for each redirect that may be followed.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TimeLimit from "../internal/timeLimit.js"
import type { CapturedOutput, Output } from "../PressRunner.js"
import { HostAddresses } from "./HostAddresses.js"
import * as HostPolicy from "./HostPolicy.js"
import { HttpClient, type HttpHead, type HttpRequest } from "./HttpClient.js"
import * as ResponseBody from "./ResponseBody.js"
import * as Redirects from "./redirects.js"

export interface HttpSpec extends TimeLimit.TimeLimit {
  readonly request: HttpRequest
  readonly maxResponseBytes: number
  /** Counts only where the policy permits it. */
  readonly wantsPrivateNetworks: boolean
  /** Called as soon as the outcome is fixed; it cannot be interrupted. */
  readonly onEnded?: ((outcome: HttpOutcome) => Effect.Effect<void>) | undefined
  /** Called instead when the press was interrupted before: with what had been received, all connections closed. */
  readonly onInterrupted?: ((output: Output) => Effect.Effect<void>) | undefined
}

export interface HttpOutcome {
  readonly reason: "responded" | "refused" | "unreachable" | "timed-out"
  /** Of the last answer. */
  readonly head: HttpHead | undefined
  readonly body: CapturedOutput
  /** Why it was refused or not reached. */
  readonly detail?: string
  readonly durationMillis: number
}

export class HttpRunner extends Context.Tag("@pushbutton/buttons/http/HttpRunner")<
  HttpRunner,
  {
    /** Every way a request can end is an outcome. Interruption closes its connection. */
    readonly run: (spec: HttpSpec) => Effect.Effect<HttpOutcome>
  }
>() {}

export const layer = (
  policy: HostPolicy.HostPolicy = HostPolicy.publicOnly
): Layer.Layer<HttpRunner, never, HttpClient | HostAddresses> =>
  Layer.effect(
    HttpRunner,
    Effect.gen(function* () {
      return make({ policy, client: yield* HttpClient, addresses: yield* HostAddresses })
    })
  )

export const make = (services: Services): HttpRunner["Type"] =>
  HttpRunner.of({ run: (spec) => run(services, spec) })

export const layerTest = (run: (spec: HttpSpec) => Effect.Effect<HttpOutcome>): Layer.Layer<HttpRunner> =>
  Layer.succeed(HttpRunner, HttpRunner.of({ run }))

export interface Services {
  readonly policy: HostPolicy.HostPolicy
  readonly client: HttpClient["Type"]
  readonly addresses: HostAddresses["Type"]
}

/** What was received so far. */
interface Received {
  head: HttpHead | undefined
  next: Redirects.Next
  readonly body: ResponseBody.ResponseBody
}

type End = Pick<HttpOutcome, "reason" | "detail">

const run = (services: Services, spec: HttpSpec) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const startedAt = yield* Clock.currentTimeNanos
      const received: Received = {
        head: undefined,
        next: { _tag: "Done" },
        body: ResponseBody.make(spec.maxResponseBytes)
      }
      const exit = yield* Effect.exit(restore(TimeLimit.within(follow(services, spec, received), spec)))
      const body = received.body.read(received.head?.contentType)
      if (Exit.isFailure(exit)) {
        yield* spec.onInterrupted?.({ stdout: body, stderr: nothing }) ?? Effect.void
        return yield* Effect.failCause(exit.cause)
      }
      const outcome: HttpOutcome = {
        ...Option.getOrElse(exit.value, (): End => ({ reason: "timed-out" })),
        head: received.head,
        body,
        durationMillis: Number(((yield* Clock.currentTimeNanos) - startedAt) / 1_000_000n)
      }
      yield* spec.onEnded?.(outcome) ?? Effect.void
      return outcome
    })
  )

const nothing: CapturedOutput = { text: "", bytes: 0, truncated: false }

const refused = (detail: string): End => ({ reason: "refused", detail })

const follow = (services: Services, spec: HttpSpec, received: Received): Effect.Effect<End> =>
  Effect.gen(function* () {
    let request = spec.request
    for (let redirects = 0; redirects <= Redirects.maxRedirects; redirects++) {
      const end = yield* sendOnce(services, spec, request, received)
      if (end._tag === "Done") return { reason: "responded" as const }
      if (end._tag === "Refused") return refused(end.detail)
      request = end.request
    }
    return refused(`it redirects more than ${Redirects.maxRedirects} times`)
  }).pipe(
    Effect.catchTags({
      HostUnknown: ({ code }) => Effect.succeed<End>({ reason: "unreachable", detail: describe(code) }),
      HttpUnreachable: ({ code }) => Effect.succeed<End>({ reason: "unreachable", detail: describe(code) })
    })
  )

/** Checked and sent to in one go: the addresses that were looked at are those that are dialled. */
const sendOnce = Effect.fnUntraced(function* (
  { addresses, client, policy }: Services,
  spec: HttpSpec,
  request: HttpRequest,
  received: Received
) {
  const found = yield* addresses.find(request.origin.hostname)
  const detail = HostPolicy.refusal(policy, request.origin, found, spec.wantsPrivateNetworks)
  if (detail !== undefined) return { _tag: "Refused", detail } satisfies Redirects.Next
  yield* client.send({
    request,
    addresses: found,
    onHead: (head) => {
      received.head = head
      received.next = Redirects.next(request, head.status, head.location, (origin) =>
        HostPolicy.isNamed(policy, origin)
      )
      return received.next._tag === "Done"
    },
    onBody: received.body.push
  })
  return received.next
})

const sentences: ReadonlyMap<string, string> = new Map([
  ["ENOTFOUND", "its name is not known"],
  ["EAI_AGAIN", "its name cannot be looked up now"],
  ["ECONNREFUSED", "it takes no connection"],
  ["ECONNRESET", "the connection broke off"],
  ["EPIPE", "the connection broke off"],
  ["ETIMEDOUT", "it does not answer"],
  ["EHOSTUNREACH", "no way leads to it"],
  ["ENETUNREACH", "no way leads to it"],
  ["UPGRADED", "it changed to another protocol"]
])

const describe = (code: string): string => {
  const sentence = sentences.get(code)
  return sentence === undefined ? code : `${sentence} (${code})`
}
