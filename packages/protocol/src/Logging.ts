/** Protocol logging: the eight levels of syslog, and the message a client that asked for it gets. */
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import * as Codec from "./internal/codec.js"
import type { JsonObject, JsonValue } from "./Json.js"
import * as JsonRpc from "./JsonRpc.js"
import { InvalidParams } from "./ProtocolError.js"

/** From the least severe. */
export const levels = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency"
] as const

export type LoggingLevel = (typeof levels)[number]

export const LoggingLevel: Schema.Schema<LoggingLevel> = Codec.oneOf(...levels)

/** Where a level stands in the order; a higher one is more severe. */
export const severity = (level: LoggingLevel): number => levels.indexOf(level)

export const isAtLeast = (level: LoggingLevel, minimum: LoggingLevel): boolean =>
  severity(level) >= severity(minimum)

export interface Entry {
  readonly level: LoggingLevel
  readonly data: JsonValue
  /** What part of the server speaks. */
  readonly logger?: string | undefined
}

/** `notifications/message` (2026-07-28, logging, Log Message Notifications). */
export const encodeMessage = ({ data, level, logger }: Entry): string =>
  JsonRpc.encodeNotification("notifications/message", {
    level,
    ...(logger === undefined ? {} : { logger }),
    data
  })

const decodeLevel = Codec.decoder(Codec.struct({ level: LoggingLevel }), "params")

/** The params of `logging/setLevel` (handshake revisions, logging). */
export const decodeSetLevel = (params: JsonObject): Either.Either<LoggingLevel, InvalidParams> =>
  Either.mapBoth(decodeLevel(params), {
    onLeft: (detail) => new InvalidParams({ detail }),
    onRight: ({ level }) => level
  })
