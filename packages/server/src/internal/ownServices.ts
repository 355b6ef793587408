/** The services of one request on top of those that it shares with others. */
import * as Context from "effect/Context"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import type { OwnServices } from "../Decision.js"
import { RequestContext } from "../RequestContext.js"

/** Copies what is shared once, whatever is added: the copy is most of what it costs. */
export const over = <R>(
  shared: ReadonlyMap<string, unknown>,
  own: OwnServices | undefined
): Context.Context<R> => {
  const all = new Map(shared)
  if (own !== undefined) {
    all.set(RequestContext.key, own.request)
    all.set(Scope.Scope.key, own.scope)
    if (own.parent !== undefined) all.set(Tracer.ParentSpan.key, own.parent)
  }
  return Context.unsafeMake(all)
}
