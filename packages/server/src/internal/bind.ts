/** An author's effects bound to their services at registration. */
import type { ProtocolError } from "@pushbutton/protocol/ProtocolError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import type { RequestContext } from "../RequestContext.js"
import type { Use } from "./call.js"

/** What a request gives to handlers, so that nobody else has to. */
export type Given = RequestContext | Scope.Scope

/** The services that a handler needs from its program. */
export type Needs<R> = Exclude<R, Given>

/** Takes the services once. Each request then adds its `RequestContext` and its scope (`ownServices.ts`). */
export const bind = <R>(services: Context.Context<Needs<R>>) => {
  // Registration happens in the scope and perhaps the span of a layer; a handler that saw them would keep what it
  // acquires till shutdown, and have its spans where those of start-up are.
  const base = Context.omit(
    Scope.Scope,
    Tracer.ParentSpan
  )(services as Context.Context<Needs<R> | Scope.Scope | Tracer.ParentSpan>)
  // With what each request adds, `Needs<R> | Given` covers R; the compiler cannot see that for a generic R.
  const shared = base as Context.Context<unknown> as Context.Context<R>
  return <Out, A>(effect: Effect.Effect<Out, ProtocolError, R>, use: Use<Out, A>): A => use(effect, shared)
}
