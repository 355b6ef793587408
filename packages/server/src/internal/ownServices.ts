/** The services of one request on top of those that it shares with others. */
import * as Context from "effect/Context"
import * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import { RequestContext } from "../RequestContext.js"
import { type Frame, Running } from "./frame.js"
import type { LazyScope } from "./lazyScope.js"

/** What one run of a handler has besides the services of its program. */
export interface OwnServices {
  readonly request: RequestContext["Type"]
  /** Closes when the handler has ended, before the reply goes out. */
  readonly scope: LazyScope
  readonly frame: Frame
  /** The client's span, of which those of the handler are children. */
  readonly parent: Tracer.AnySpan | undefined
}

/** Copies what is shared once, whatever is added: the copy is most of what it costs. */
export const over = <R>(
  shared: ReadonlyMap<string, unknown>,
  own: OwnServices | undefined
): Context.Context<R> => {
  const all = new Map<string, unknown>()
  // The constructor of Map would make an array for each entry.
  shared.forEach((service, key) => void all.set(key, service))
  if (own !== undefined) {
    all.set(RequestContext.key, own.request)
    all.set(Scope.Scope.key, own.scope)
    all.set(Running.key, own.frame)
    if (own.parent !== undefined) all.set(Tracer.ParentSpan.key, own.parent)
  }
  return Context.unsafeMake(all)
}
