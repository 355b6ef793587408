/** Results of presses as they are kept for a second asking: the keys of the format, and what else a result has. */
import * as Schema from "effect/Schema"
import * as PressResult from "../PressResult.js"
import { optional } from "./schemas.js"
import { head } from "./text.js"

export const StoredResult = Schema.Struct({
  status: Schema.Literal("ok", "error", "timeout"),
  exit_code: Schema.Int,
  http_status_code: optional(Schema.Int),
  stdout: Schema.String,
  stderr: Schema.String,
  duration_ms: Schema.Number,
  error_type: optional(
    Schema.Literal("SCRIPT_ERROR", "TIMEOUT", "CANCELLED", "INTERRUPTED", "VALIDATION_ERROR")
  ),
  button: Schema.String,
  args: Schema.Record({ key: Schema.String, value: Schema.String }),
  started_at: Schema.String,
  run_id: Schema.String,
  caller: Schema.Literal("mcp", "cli"),
  reason: Schema.Literal(
    "exited",
    "signalled",
    "timed-out",
    "not-started",
    "responded",
    "refused",
    "unreachable",
    "prompt",
    "cancelled",
    "interrupted"
  ),
  signal: optional(Schema.String),
  timeout_seconds: optional(Schema.Number),
  stdout_bytes: Schema.Number,
  stderr_bytes: Schema.Number,
  stdout_truncated: Schema.Boolean,
  stderr_truncated: Schema.Boolean,
  recorded: Schema.Boolean
})

export type StoredResult = typeof StoredResult.Type

/** Of each output; more than that is kept only of answers over HTTP, and cut here. */
const maxTextBytes = 4_194_304

export const fromResult = (result: PressResult.PressResult): StoredResult => {
  const stdout = head(result.stdout, maxTextBytes)
  const stderr = head(result.stderr, maxTextBytes)
  return {
    status: result.status,
    exit_code: result.exitCode,
    ...(result.httpStatus === undefined ? {} : { http_status_code: result.httpStatus }),
    stdout,
    stderr,
    duration_ms: result.durationMillis,
    ...(result.errorType === undefined ? {} : { error_type: result.errorType }),
    button: result.button,
    args: result.args,
    started_at: PressResult.startedAt(result),
    run_id: result.runId,
    caller: result.caller,
    reason: result.reason,
    ...(result.signal === undefined ? {} : { signal: result.signal }),
    ...(result.timeoutSeconds === undefined ? {} : { timeout_seconds: result.timeoutSeconds }),
    stdout_bytes: result.stdoutBytes,
    stderr_bytes: result.stderrBytes,
    stdout_truncated: result.stdoutTruncated || stdout !== result.stdout,
    stderr_truncated: result.stderrTruncated || stderr !== result.stderr,
    recorded: result.recorded
  }
}

export const toResult = (stored: StoredResult): PressResult.PressResult => ({
  status: stored.status,
  exitCode: stored.exit_code,
  ...(stored.http_status_code === undefined ? {} : { httpStatus: stored.http_status_code }),
  stdout: stored.stdout,
  stderr: stored.stderr,
  durationMillis: stored.duration_ms,
  ...(stored.error_type === undefined ? {} : { errorType: stored.error_type }),
  button: stored.button,
  args: stored.args,
  startedAtMillis: Date.parse(stored.started_at),
  runId: stored.run_id,
  caller: stored.caller,
  reason: stored.reason,
  ...(stored.signal === undefined ? {} : { signal: stored.signal }),
  ...(stored.timeout_seconds === undefined ? {} : { timeoutSeconds: stored.timeout_seconds }),
  stdoutBytes: stored.stdout_bytes,
  stderrBytes: stored.stderr_bytes,
  stdoutTruncated: stored.stdout_truncated,
  stderrTruncated: stored.stderr_truncated,
  recorded: stored.recorded
})
