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
import type { Decision, Outlet, OwnServices as Own, Reply } from "../Decision.js"
import type { RandomBytes } from "../RandomBytes.js"
import type { RequestContext } from "../RequestContext.js"
import { type Asking, asking } from "./asking.js"
import * as AskWays from "./askWays.js"
import * as Notices from "./notices.js"
import * as OwnServices from "./ownServices.js"
import type { Route } from "./Route.js"
import { releasing } from "./releasing.js"
import * as Replies from "./reply.js"
import * as RequestSpan from "./requestSpan.js"

/** Takes an author's effect together with the services it runs with: those of its program, and those of the request. */
export type Use<Out, A> = <R>(
  effect: Effect.Effect<Out, ProtocolError.ProtocolError, R>,
  services: Context.Context<R>,
  own: Own
) => A

/** Something registered that answers requests: a tool, a prompt, a resource. */
export type Invoke<Out> = <A>(request: RequestContext["Type"], use: Use<Out, A>) => A

export interface About extends AskWays.About {
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
  const retry = AskWays.mayRetry(route) ? InputRequired.decodeRetry(route.params) : noRetry
  if (Either.isLeft(retry)) return refuse(route, retry.left)
  return {
    _tag: "Call",
    call: {
      id: route.id,
      era: route.era,
      start: (outlet, fork) => {
        const way = AskWays.choose(route, about, retry.right, outlet)
        const carrier = about.carry?.()
        const notices = Notices.open(route, outlet, fork)
        const span = route.isTraced ? new RequestSpan.RequestSpan(route, about.target) : undefined
        const trace = TraceContext.ofMeta(route.meta)
        const plain = requestContext(route, notices, trace, way.asking, outlet)
        const request = carrier === undefined ? plain : carrier.request(plain)
        const replying = <R>(effect: Effect.Effect<Out, ProtocolError.ProtocolError, R>) => {
          const reply = Effect.map(notices.listen(effect), (outcome) => {
            const members = encode(outcome)
            span?.result(members)
            return Replies.result(route.id, members)
          })
          return span === undefined ? reply : span.handler(reply)
        }
        return invoke(request, (effect, services, own) => {
          const handler = way.runsAgain ? afresh(invoke, request, replying) : replying(effect)
          const answered = notices.conclude(respond(route, label, way.run(handler)))
          const work = span === undefined ? answered : span.around(answered)
          const parent = RequestSpan.parentOf(trace)
          return fork(
            carrier === undefined ? work : carrier.run(work),
            services,
            parent === undefined ? own : { ...own, parent }
          )
        })
      },
      refuse: (reason) => Replies.error(route.id, reason, route.era)
    }
  }
}

/** Bound anew with each run: what one has acquired is released at its end. */
const afresh = <Out, A>(
  invoke: Invoke<Out>,
  request: RequestContext["Type"],
  use: <R>(
    effect: Effect.Effect<Out, ProtocolError.ProtocolError, R>
  ) => Effect.Effect<A, ProtocolError.ProtocolError, R>
): Effect.Effect<A, ProtocolError.ProtocolError> =>
  Effect.suspend(() =>
    invoke(request, (effect, services, own) =>
      Effect.provide(use(effect), OwnServices.over(services.unsafeMap, own))
    )
  )

/** A refusal before anything runs. */
export const refuse = (route: Route, failure: ProtocolError.ProtocolError): Decision =>
  Replies.answer(Replies.error(route.id, failure, route.era))

const noRetry = Either.right<InputRequired.Retry>({ inputResponses: undefined, requestState: undefined })

const respond = <R>(
  route: Route,
  label: string,
  handler: Effect.Effect<Reply, ProtocolError.ProtocolError, R>
): Effect.Effect<Reply, never, R> => Effect.catchAllCause(handler, (cause) => failed(route, label, cause))

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
  way: Asking,
  { release }: Outlet
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
  [asking]: way,
  [releasing]: release
})
