/**
 * Requests that run an author's Effect: what it gets to know, and how its end becomes the reply.
 *
 * A feature says with `call` what to run, how to write its outcome, and what the call is about: a name or URI, and
 * the arguments. Where the method allows it, the handler may ask the client (`Ask`); what is remembered of the call
 * between rounds is bound to what it is about.
 */
import * as InputRequired from "@pushbutton/protocol/InputRequired"
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as TraceContext from "@pushbutton/protocol/TraceContext"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Decision, Reply } from "../Decision.js"
import type { RandomBytes } from "../RandomBytes.js"
import type { RequestContext } from "../RequestContext.js"
import { type Asking, asking, unavailable } from "./asking.js"
import * as Notices from "./notices.js"
import type { Route } from "./Route.js"
import * as Replies from "./reply.js"
import * as RequestSpan from "./requestSpan.js"
import { Rounds, settle } from "./rounds.js"

/** Takes an author's effect together with the services it runs with. */
export type Use<Out, A> = <R>(
  effect: Effect.Effect<Out, ProtocolError.ProtocolError, R>,
  services: Context.Context<R>
) => A

/** Something registered that answers requests: a tool, a prompt, a resource. */
export type Invoke<Out> = <A>(request: RequestContext["Type"], use: Use<Out, A>) => A

export interface About {
  /** The tool's or prompt's name, or the resource's URI. */
  readonly target: string
  readonly args: JsonObject
  /** Where the work runs, when that is not the request itself. */
  readonly carry?: (() => Carrier) | undefined
}

/** Runs the work of one call elsewhere than in its request. */
export interface Carrier {
  /** What the handler sees of the request. */
  readonly request: (request: RequestContext["Type"]) => RequestContext["Type"]
  readonly run: <R>(work: Effect.Effect<Reply, never, R>) => Effect.Effect<Reply, never, R | RandomBytes>
}

/**
 * Decides for a call. `encode` writes the outcome in the route's dialect; it runs inside the fiber, so that what
 * JSON cannot hold is a defect of the author's code like any other, which is logged under `label`.
 */
export const call = <Out>(
  route: Route,
  label: string,
  invoke: Invoke<Out>,
  encode: (outcome: Out) => JsonObject,
  about: About
): Decision => {
  const retry = mayAsk(route) ? InputRequired.decodeRetry(route.params) : noRetry
  if (Either.isLeft(retry)) return refuse(route, retry.left)
  return {
    _tag: "Call",
    call: {
      id: route.id,
      era: route.era,
      start: (outlet, fork) => {
        const rounds = roundsOf(route, about, retry.right)
        const carrier = about.carry?.()
        const notices = Notices.open(route, outlet, fork)
        const span = route.isTraced ? new RequestSpan.RequestSpan(route, about.target) : undefined
        const trace = TraceContext.ofMeta(route.meta)
        const request = requestContext(route, notices, trace, rounds ?? cannotAsk(route))
        return invoke(carrier === undefined ? request : carrier.request(request), (effect, services) => {
          const reply = Effect.map(notices.listen(effect), (outcome) => {
            const members = encode(outcome)
            span?.result(members)
            return Replies.result(route.id, members)
          })
          const handler = span === undefined ? reply : span.handler(reply)
          const answered = notices.conclude(
            rounds === undefined
              ? respond(route, label, handler)
              : respondInRounds(route, label, handler, rounds)
          )
          const work = span === undefined ? answered : span.around(answered)
          return fork(carrier === undefined ? work : carrier.run(work), RequestSpan.within(services, trace))
        })
      },
      refuse: (reason) => Replies.error(route.id, reason, route.era)
    }
  }
}

/** A refusal before anything runs. */
export const refuse = (route: Route, failure: ProtocolError.ProtocolError): Decision =>
  Replies.answer(Replies.error(route.id, failure, route.era))

const mayAsk = (route: Route): boolean => route.era === "modern" && InputRequired.isAllowed(route.method)

const noRetry = Either.right<InputRequired.Retry>({ inputResponses: undefined, requestState: undefined })

const roundsOf = (route: Route, { args, target }: About, retry: InputRequired.Retry): Rounds | undefined =>
  mayAsk(route)
    ? new Rounds(
        route.asks.rounds,
        { server: route.identity.name, method: route.method, target, args, principal: route.principal },
        route.clientCapabilities,
        retry
      )
    : undefined

const cannotAsk = (route: Route): Asking =>
  unavailable(
    route.era === "legacy"
      ? `the client speaks ${route.dialect.version}, in which this server does not ask`
      : `${route.method} cannot ask`
  )

type Handler<R> = Effect.Effect<Reply, ProtocolError.ProtocolError, R>

const respond = <R>(route: Route, label: string, handler: Handler<R>): Effect.Effect<Reply, never, R> =>
  Effect.catchAllCause(handler, (cause) => failed(route, label, cause))

/**
 * A handler that asks is interrupted by its own request, which then goes on to send what was asked, whatever the
 * handler made of that. Its interruption by anybody else is the end of the request.
 */
const respondInRounds = <R>(
  route: Route,
  label: string,
  handler: Handler<R>,
  rounds: Rounds
): Effect.Effect<Reply, never, R | RandomBytes> => {
  const left = (cause: Cause.Cause<ProtocolError.ProtocolError>) =>
    Effect.zipRight(
      settle,
      Cause.isInterruptedOnly(cause) ? ask(route, label, rounds) : failed(route, label, cause)
    )
  return Effect.uninterruptibleMask((restore) =>
    Effect.matchCauseEffect(restore(rounds.enter(handler)), {
      onSuccess: (reply) => (rounds.hasLeft ? left(Cause.empty) : Effect.succeed(reply)),
      onFailure: (cause) =>
        rounds.hasLeft ? left(cause) : Effect.zipRight(restore(Effect.void), failed(route, label, cause))
    })
  )
}

const ask = (route: Route, label: string, rounds: Rounds): Effect.Effect<Reply, never, RandomBytes> =>
  rounds.result.pipe(
    Effect.map((asked) => Replies.result(route.id, InputRequired.result(asked, route.identity))),
    Effect.catchAllCause((cause) => failed(route, label, cause))
  )

const failed = (
  route: Route,
  label: string,
  cause: Cause.Cause<ProtocolError.ProtocolError>
): Effect.Effect<Reply> =>
  Either.match(Cause.failureOrCause(cause), {
    onLeft: (failure) => Effect.succeed(Replies.error(route.id, failure, route.era)),
    onRight: (defect) =>
      Effect.as(
        Effect.logError(`${label} died`, defect),
        Replies.error(route.id, new ProtocolError.InternalError(), route.era)
      )
  })

const requestContext = (
  route: Route,
  { log, progress }: Notices.Notices,
  trace: TraceContext.TraceContext | undefined,
  ways: Asking
): RequestContext["Type"] => ({
  id: route.id,
  method: route.method,
  version: route.dialect.version,
  clientInfo: route.clientInfo,
  clientCapabilities: route.clientCapabilities,
  meta: route.meta,
  logLevel: route.logLevel,
  header: route.header,
  principal: route.principal,
  trace,
  progress,
  log,
  [asking]: ways
})
