/**
 * Log messages to the client of the request being served. What a handler logs with `Effect.log*` reaches the client
 * too; `send` is for levels and data that Effect's logging does not know.
 */
import type { JsonValue } from "@pushbutton/protocol/Json"
import type { LoggingLevel } from "@pushbutton/protocol/Logging"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { RequestContext } from "./RequestContext.js"

export interface Options {
  /** What is below it goes to no client, whatever that asked for; `debug` when left out. */
  readonly minimum?: LoggingLevel | undefined
  /** Messages of one request that may follow each other at once; 100 when left out. Those beyond are dropped and counted. */
  readonly burst?: number | undefined
  /** How often one more is allowed from then on; every 50 milliseconds when left out. */
  readonly interval?: Duration.DurationInput | undefined
}

/**
 * Sends one message to the client, and nothing to the server's own log. Does nothing unless the server logs to its
 * clients (`McpServer.Options.logging`) and this request, or its session, asked for the level. Never for secrets,
 * personal data or what helps an attacker (2026-07-28, logging, Security: MUST NOT). Completes when the client can take
 * more.
 */
export const send = (
  level: LoggingLevel,
  data: JsonValue,
  logger?: string
): Effect.Effect<void, never, RequestContext> =>
  Effect.flatMap(RequestContext, (request) => request.log({ level, data, logger }))
