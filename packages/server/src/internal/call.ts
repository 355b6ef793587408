/**
 * Requests that run an author's Effect: what it gets to know, and where it runs (`callEnds.ts` makes the reply).
 *
 * A feature says with `call` what to run, how to write its outcome, and what the call is about: a name or URI, and
 * the arguments. Where the method allows it, the handler may ask the client (`Ask`); what is remembered of the call
 * between rounds is bound to what it is about.
 */
import * as InputRequired from "@pushbutton/protocol/InputRequired"
import type { JsonObject } from "@pushbutton/protocol/Json"
import type { RequestId } from "@pushbutton/protocol/JsonRpc"
import type * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as TraceContext from "@pushbutton/protocol/TraceContext"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Fiber from "effect/Fiber"
import type { Decision, Fork, Outlet, Reply } from "../Decision.js"
import type { RandomBytes } from "../RandomBytes.js"
import type { RequestContext } from "../RequestContext.js"
import { type Asking, asking } from "./asking.js"
import * as AskWays from "./askWays.js"
import { CallEnds } from "./callEnds.js"
import type { Ends, Frame, Left } from "./frame.js"
import * as Immediate from "./immediate.js"
import { LazyScope } from "./lazyScope.js"
import * as Notices from "./notices.js"
import * as OwnServices from "./ownServices.js"
import type { Route } from "./Route.js"
import { releasing } from "./releasing.js"
import * as Replies from "./reply.js"
import * as RequestSpan from "./requestSpan.js"
import type { Rounds } from "./rounds.js"
import { telling } from "./telling.js"

/** Takes an author's effect together with the services it has from its program. */
export type Use<Out, A> = <R>(
  effect: Effect.Effect<Out, ProtocolError.ProtocolError, R>,
  services: Context.Context<R>
) => A

/** Something registered that answers requests: a tool, a prompt, a resource. */
export type Invoke<Out> = <A>(use: Use<Out, A>) => A

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

/** Decides for a call. */
export const call = <Out>(
  route: Route,
  label: string,
  invoke: Invoke<Out>,
  encode: (outcome: Out) => JsonObject,
  about: About
): Decision => {
  const retry = AskWays.mayRetry(route) ? InputRequired.decodeRetry(route.params) : noRetry
  if (Either.isLeft(retry)) return refuse(route, retry.left)
  const inFiber: Start<Out> = (outlet, fork) => {
    const way = AskWays.choose(route, about, retry.right, outlet)
    const carrier = about.carry?.()
    const notices = Notices.open(route, outlet, fork)
    const span = route.isTraced ? new RequestSpan.RequestSpan(route, about.target) : undefined
    const trace = TraceContext.ofMeta(route.meta)
    const plain = requestContext(route, notices, trace, way.asking, outlet)
    const request = carrier === undefined ? plain : carrier.request(plain)
    const parent = RequestSpan.parentOf(trace)
    const ownOf = (frame: Frame) => ({ request, scope: new LazyScope(), frame, parent })
    const ends = new CallEnds(route, { label, encode }, way, notices, span)
    return <R>(effect: Effect.Effect<Out, ProtocolError.ProtocolError, R>, services: Context.Context<R>) => {
      const { frame, prelude, replay } = way
      const own = ownOf(frame)
      const handler: Effect.Effect<Out, ProtocolError.ProtocolError, R | RandomBytes> =
        replay === undefined
          ? effect
          : replay.run((round) => attempt(invoke, round, { ...ownOf(round.frame), parent: undefined }))
      const answered = frame.run(after(prelude, handler), own.scope, ends)
      const work = span === undefined ? answered : span.around(answered)
      return fork(carrier === undefined ? work : carried(carrier, work), services, own)
    }
  }
  const mayAnswerAtOnce = about.carry === undefined && isOneRun(route, retry.right)
  const atOnce: Start<Out> = (outlet, fork) => (effect, services) => {
    const begun = Immediate.begin(effect)
    return replyAtOnce(route.id, begun, encode) ?? inFiber(outlet, fork)(begun, services)
  }
  const start = mayAnswerAtOnce ? atOnce : inFiber
  return {
    _tag: "Call",
    call: {
      id: route.id,
      era: route.era,
      start: (outlet, fork) => invoke(start(outlet, fork)),
      refuse: (reason) => Replies.error(route.id, reason, route.era)
    }
  }
}

type Start<Out> = (outlet: Outlet, fork: Fork) => Use<Out, Reply | Fiber.RuntimeFiber<Reply>>

/** Whether the handler runs once, from the start of its request to the end, with nothing before it and no span around it. */
const isOneRun = ({ asks, isTraced, meta }: Route, { requestState }: InputRequired.Retry): boolean =>
  requestState === undefined && !isTraced && !TraceContext.isIn(meta) && !asks.legacy.replays

/** Undefined while there is something left to run, and for a value that cannot be written, which is for the log. */
const replyAtOnce = <Out, E, R>(
  id: RequestId,
  begun: Effect.Effect<Out, E, R>,
  encode: (outcome: Out) => JsonObject
): Reply | undefined => {
  if (!Immediate.isOver(begun)) return undefined
  try {
    return Replies.result(id, encode(begun.value))
  } catch {
    return undefined
  }
}

const after = <A, E, R, E2, R2>(
  prelude: Effect.Effect<void, E2, R2> | undefined,
  handler: Effect.Effect<A, E, R>
): Effect.Effect<A, E | E2, R | R2> => (prelude === undefined ? handler : Effect.zipRight(prelude, handler))

/** One run among several, bound anew: what it has acquired is released at its end. */
const attempt = <Out>(invoke: Invoke<Out>, { frame, prelude }: Rounds, own: OwnServices.OwnServices) =>
  invoke((effect, services) => {
    const run = frame.run(after(prelude, effect), own.scope, asItIs<Out>())
    return Effect.uninterruptible(Effect.provide(run, OwnServices.over(services.unsafeMap, own)))
  })

const asItIs = <A>(): Ends<A, ProtocolError.ProtocolError, A | Left, ProtocolError.ProtocolError, never> => ({
  around: (effect) => effect,
  onSuccess: (outcome) => Effect.succeed(outcome),
  onFailure: (cause) => Effect.failCause(cause)
})

/** A carrier waits for the work, and may be interrupted while it does. */
const carried = <R>(carrier: Carrier, work: Effect.Effect<Reply, never, R>) =>
  Effect.interruptible(carrier.run(Effect.uninterruptible(work)))

/** A refusal before anything runs. */
export const refuse = (route: Route, failure: ProtocolError.ProtocolError): Decision =>
  Replies.answer(Replies.error(route.id, failure, route.era))

const noRetry = Either.right<InputRequired.Retry>({ inputResponses: undefined, requestState: undefined })

const requestContext = (
  route: Route,
  { log, progress, tell }: Notices.Notices,
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
  [releasing]: release,
  [telling]: tell
})
