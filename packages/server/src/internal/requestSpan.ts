/** The trace that a request belongs to, and the span of one that runs a handler. */
import type { JsonObject } from "@pushbutton/protocol/Json"
import type { ProtocolError } from "@pushbutton/protocol/ProtocolError"
import type { TraceContext } from "@pushbutton/protocol/TraceContext"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as FiberRefs from "effect/FiberRefs"
import * as Tracer from "effect/Tracer"
import type { Reply } from "../Decision.js"
import { between } from "./between.js"
import type { Route } from "./Route.js"

/** The client's span, where it names one. */
export const parentOf = (trace: TraceContext | undefined): Tracer.ExternalSpan | undefined =>
  trace?.parent === undefined
    ? undefined
    : Tracer.externalSpan({
        traceId: trace.parent.traceId,
        spanId: trace.parent.spanId,
        sampled: trace.parent.isSampled
      })

/** A handler that fails fails its span, although its request ends with a reply. */
export class RequestSpan {
  private readonly route: Route
  private readonly target: string
  private failure: Cause.Cause<ProtocolError> | undefined
  private isToolError = false

  constructor(route: Route, target: string) {
    this.route = route
    this.target = target
  }

  /** Interruption is no failure of the handler: its request was cancelled, or it asks. */
  failed(cause: Cause.Cause<ProtocolError>): void {
    if (!Cause.isInterruptedOnly(cause)) this.failure = cause
  }

  result(members: JsonObject): void {
    if (members["isError"] === true) this.isToolError = true
  }

  /** To be run where nothing can be interrupted but what says so. */
  around<R>(work: Effect.Effect<Reply, never, R>): Effect.Effect<Reply, never, R> {
    const options = { kind: "server", captureStackTrace: false, attributes: this.attributes() } as const
    const making = Effect.zip(Effect.context<never>(), Effect.makeSpan(this.route.method, options))
    return Effect.flatMap(making, ([outside, span]) =>
      between(use(Context.add(outside, Tracer.ParentSpan, span)), work, (exit) =>
        this.end(span, outside, exit)
      )
    )
  }

  private end(
    span: Tracer.Span,
    outside: Context.Context<never>,
    exit: Exit.Exit<Reply>
  ): Effect.Effect<void> {
    const ending = Effect.flatMap(FiberRef.get(FiberRef.currentTracerTimingEnabled), (isTimed) =>
      Effect.clockWith((clock) =>
        Effect.sync(() => {
          if (span.status._tag === "Ended") return
          // The failure is the span's; the reply has told the client.
          const told = this.failure === undefined ? exit : Exit.failCause(this.failure)
          try {
            if (this.isToolError) span.attribute("error.type", "tool_error")
          } finally {
            span.end(isTimed ? clock.unsafeCurrentTimeNanos() : 0n, told)
          }
        })
      )
    )
    // A tracer that throws takes nobody's reply.
    return Effect.zipRight(
      use(outside),
      Effect.catchAllDefect(ending, () => Effect.void)
    )
  }

  private attributes() {
    const { dialect, id, method } = this.route
    const target = targets[method]
    return {
      "mcp.method.name": method,
      "mcp.protocol.version": dialect.version,
      "jsonrpc.request.id": String(id),
      ...(target === undefined ? {} : { [target]: this.target })
    }
  }
}

const use = (context: Context.Context<never>): Effect.Effect<void> =>
  Effect.updateFiberRefs((fiberId, refs) =>
    FiberRefs.updateAs(refs, { fiberId, fiberRef: FiberRef.currentContext, value: context })
  )

/** The names that OpenTelemetry's conventions for MCP give to what a method is about. */
const targets: Readonly<Record<string, string>> = {
  "tools/call": "gen_ai.tool.name",
  "prompts/get": "gen_ai.prompt.name",
  "resources/read": "mcp.resource.uri"
}
