/** The trace that a request belongs to, and the span of one that runs a handler. */
import type { JsonObject } from "@pushbutton/protocol/Json"
import type { ProtocolError } from "@pushbutton/protocol/ProtocolError"
import type { TraceContext } from "@pushbutton/protocol/TraceContext"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import type { Reply } from "../Decision.js"
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

  around<R>(work: Effect.Effect<Reply, never, R>): Effect.Effect<Reply, never, R> {
    let reply: Reply | undefined
    const ending = Effect.flatMap(work, (settled) => {
      reply = settled
      if (this.failure !== undefined) return Effect.failCause(this.failure)
      return this.isToolError
        ? Effect.as(Effect.annotateCurrentSpan("error.type", "tool_error"), settled)
        : Effect.succeed(settled)
    })
    return Effect.withSpan(ending, this.route.method, {
      kind: "server",
      captureStackTrace: false,
      attributes: this.attributes()
    }).pipe(
      // The failure is the span's; the reply has told the client. What is left is an interruption of the request.
      Effect.catchAllCause((cause) =>
        reply === undefined ? Effect.failCause(Cause.stripFailures(cause)) : Effect.succeed(reply)
      )
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

/** The names that OpenTelemetry's conventions for MCP give to what a method is about. */
const targets: Readonly<Record<string, string>> = {
  "tools/call": "gen_ai.tool.name",
  "prompts/get": "gen_ai.prompt.name",
  "resources/read": "mcp.resource.uri"
}
