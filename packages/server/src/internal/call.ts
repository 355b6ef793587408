/** Requests that run an author's Effect: what it gets to know, and how its end becomes the reply. */
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Decision, Outlet, Reply } from "../Decision.js"
import * as Progress from "../Progress.js"
import type { RequestContext } from "../RequestContext.js"
import type { Route } from "./Route.js"
import * as Replies from "./reply.js"

/** Takes an author's effect together with the services it runs with. */
export type Use<Out, A> = <R>(
  effect: Effect.Effect<Out, ProtocolError.ProtocolError, R>,
  services: Context.Context<R>
) => A

/** Something registered that answers requests: a tool, a prompt, a resource. */
export type Invoke<Out> = <A>(request: RequestContext["Type"], use: Use<Out, A>) => A

/**
 * Decides for a call. `encode` writes the outcome in the route's dialect; it runs inside the fiber, so that what
 * JSON cannot hold is a defect of the author's code like any other, which is logged under `label`.
 */
export const call = <Out>(
  route: Route,
  label: string,
  invoke: Invoke<Out>,
  encode: (outcome: Out) => JsonObject
): Decision => ({
  _tag: "Call",
  call: {
    id: route.id,
    era: route.era,
    start: (outlet, fork) =>
      invoke(requestContext(route, outlet), (effect, services) =>
        fork(respond(route, label, effect, encode), services)
      ),
    refuse: (reason) => Replies.error(route.id, reason, route.era)
  }
})

/** A refusal before anything runs. */
export const refuse = (route: Route, failure: ProtocolError.ProtocolError): Decision =>
  Replies.answer(Replies.error(route.id, failure, route.era))

const respond = <Out, R>(
  route: Route,
  label: string,
  effect: Effect.Effect<Out, ProtocolError.ProtocolError, R>,
  encode: (outcome: Out) => JsonObject
): Effect.Effect<Reply, never, R> =>
  Effect.catchAllCause(
    Effect.map(effect, (outcome) => Replies.result(route.id, encode(outcome))),
    (cause) =>
      Either.match(Cause.failureOrCause(cause), {
        onLeft: (failure) => Effect.succeed(Replies.error(route.id, failure, route.era)),
        onRight: (defect) =>
          Effect.as(
            Effect.logError(`${label} died`, defect),
            Replies.error(route.id, new ProtocolError.InternalError(), route.era)
          )
      })
  )

const requestContext = (route: Route, outlet: Outlet): RequestContext["Type"] => ({
  id: route.id,
  method: route.method,
  version: route.dialect.version,
  clientInfo: route.clientInfo,
  clientCapabilities: route.clientCapabilities,
  meta: route.meta,
  logLevel: route.logLevel,
  header: route.header,
  principal: route.principal,
  progress: Progress.make(route.progressToken, route.dialect, outlet)
})
