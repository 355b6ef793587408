/** One run as history keeps it: the keys and conventions of the button format, plus a few that other readers ignore. */
import type * as Either from "effect/Either"
import type { ParseError } from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { optional } from "./internal/schemas.js"
import { byteLength, head } from "./internal/text.js"

export const PressRecord = Schema.Struct({
  button_name: Schema.String,
  /** RFC 3339, UTC. */
  started_at: Schema.String,
  finished_at: Schema.String,
  /** -1 when nothing was started, or it ended by a signal, a timeout or a cancellation; of a request its HTTP status. */
  exit_code: Schema.Int,
  http_status_code: optional(Schema.Int),
  status: Schema.Literal("ok", "error", "timeout"),
  error_type: optional(Schema.String),
  stdout: Schema.String,
  stderr: Schema.String,
  duration_ms: Schema.Number,
  args: optional(Schema.Record({ key: Schema.String, value: Schema.String })),
  run_id: optional(Schema.String),
  caller: optional(Schema.String),
  /** How the run ended, in more words than `status` has. */
  reason: optional(Schema.String),
  /** Whether any text here is not the whole of it. */
  truncated: optional(Schema.Boolean)
})

export type PressRecord = typeof PressRecord.Type

/** A record that can be written: its id tells it from another of the same millisecond. */
export interface NewPressRecord extends PressRecord {
  readonly run_id: string
}

const decodeJson = Schema.decodeUnknownEither(Schema.parseJson(PressRecord))

export const decode: (text: string) => Either.Either<PressRecord, ParseError> = decodeJson

export const encode = (record: PressRecord): string => JSON.stringify(record, null, 2)

export const maxTextBytes = 1_048_576

/** The record with every text cut to 1 MiB; what was cut ends with a line that says so. */
export const bounded = (record: NewPressRecord): NewPressRecord => {
  const texts = [record.stdout, record.stderr, ...Object.values(record.args ?? {})]
  if (texts.every((text) => byteLength(text) <= maxTextBytes)) return record
  return {
    ...record,
    stdout: cut(record.stdout),
    stderr: cut(record.stderr),
    ...(record.args === undefined
      ? {}
      : { args: Object.fromEntries(Object.entries(record.args).map(([name, text]) => [name, cut(text)])) }),
    truncated: true
  }
}

const cut = (text: string): string => {
  const kept = head(text, maxTextBytes)
  return kept.length === text.length ? text : `${kept}\n[truncated]`
}

/** Names of runs sort by time and are file names: `2026-04-18T09-53-45-123-<run id>`. */
export const runName = (startedAt: string, runId: string): string => {
  const [second = "", fraction = ""] = startedAt.replace("Z", "").split(".")
  const name = `${second.replaceAll(":", "-")}-${fraction.slice(0, 3).padEnd(3, "0")}-${runId}`
  return name.replace(/[^A-Za-z0-9-]/g, "")
}

/** Newest first; records of one moment as they came, and last those that the future seems to have written. */
export const newestFirst = (
  records: ReadonlyArray<PressRecord>,
  nowMillis: number
): ReadonlyArray<PressRecord> => {
  const isFuture = (record: PressRecord) => (moment(record) > nowMillis ? 1 : 0)
  return [...records].sort((one, other) => isFuture(one) - isFuture(other) || moment(other) - moment(one))
}

const moment = (record: PressRecord): number => {
  const millis = Date.parse(record.started_at)
  return Number.isNaN(millis) ? 0 : millis
}
