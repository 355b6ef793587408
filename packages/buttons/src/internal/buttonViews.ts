/**
 * What agents are shown of buttons and runs, as schemas and projections. An allow-list: environment, code, arguments
 * and output of earlier runs are not in it.
 */
import * as Schema from "effect/Schema"
import type { Button } from "../Button.js"
import type { Failure } from "../ButtonError.js"
import type { PressRecord } from "../PressRecord.js"
import * as PressResult from "../PressResult.js"
import { optional } from "./schemas.js"
import { excerpt } from "./text.js"

const Argument = Schema.Struct({
  name: Schema.String,
  type: Schema.Literal("string", "int", "bool", "enum"),
  required: Schema.Boolean,
  values: optional(Schema.Array(Schema.String))
})

const Summary = Schema.Struct({
  name: Schema.String,
  description: optional(Schema.String),
  args: optional(Schema.Array(Argument)),
  tags: optional(Schema.Array(Schema.String))
})

export const Listing = Schema.Struct({
  buttons: Schema.Array(Summary),
  count: Schema.Int,
  errors: optional(
    Schema.Array(Schema.String).annotations({ description: "Buttons that cannot be used, and why." })
  )
})

export const Pressed = Schema.Struct({
  button: Schema.String,
  status: Schema.Literal("ok"),
  exit_code: Schema.Int,
  http_status_code: optional(Schema.Int),
  stdout: Schema.String,
  stderr: Schema.String,
  duration_ms: Schema.Number,
  truncated: optional(Schema.Boolean.annotations({ description: "True when output was cut to the limit." })),
  recorded: optional(
    Schema.Boolean.annotations({ description: "False when the history could not be written." })
  ),
  replayed: optional(
    Schema.Boolean.annotations({
      description: "True when this is what an earlier press under the same idempotency key gave."
    })
  )
})

const Run = Schema.Struct({
  run_id: optional(Schema.String),
  started_at: Schema.String,
  finished_at: Schema.String,
  status: Schema.Literal("ok", "error", "timeout"),
  exit_code: Schema.Int,
  error_type: optional(Schema.String),
  reason: optional(Schema.String),
  duration_ms: Schema.Number
})

const Described = Schema.Struct({
  ...Summary.fields,
  runtime: Schema.String,
  timeout_seconds: optional(Schema.Number)
})

export const Inspected = Schema.Struct({ button: Described, recent_runs: Schema.Array(Run) })

export const Created = Schema.Struct({
  created: Schema.String,
  enabled: Schema.Boolean.annotations({ description: "Whether it can be pressed already." }),
  button: Described
})

export const summary = (button: Button): typeof Summary.Type => ({
  name: button.slug,
  ...(button.description === "" ? {} : { description: button.description }),
  ...(button.args.length === 0 ? {} : { args: button.args.map(argument) }),
  ...(button.tags.length === 0 ? {} : { tags: button.tags })
})

const argument = ({ name, required, type, values }: Button["args"][number]): typeof Argument.Type => ({
  name,
  type,
  required,
  ...(type === "enum" ? { values } : {})
})

const described = (button: Button): typeof Described.Type => ({
  ...summary(button),
  runtime: button.runtime,
  ...(button.timeoutSeconds === undefined ? {} : { timeout_seconds: button.timeoutSeconds })
})

export const inspected = (button: Button, runs: ReadonlyArray<PressRecord>): typeof Inspected.Type => ({
  button: described(button),
  recent_runs: runs.map(run)
})

export const created = (button: Button): typeof Created.Type => ({
  created: button.slug,
  enabled: button.mcpEnabled,
  button: described(button)
})

const run = (record: PressRecord): typeof Run.Type => ({
  ...(record.run_id === undefined ? {} : { run_id: record.run_id }),
  started_at: record.started_at,
  finished_at: record.finished_at,
  status: record.status,
  exit_code: record.exit_code,
  ...(record.error_type === undefined ? {} : { error_type: record.error_type }),
  ...(record.reason === undefined ? {} : { reason: record.reason }),
  duration_ms: record.duration_ms
})

export const pressed = (result: PressResult.PressResult): typeof Pressed.Type => ({
  button: result.button,
  status: "ok",
  exit_code: result.exitCode,
  ...httpStatus(result),
  stdout: result.stdout,
  stderr: result.stderr,
  duration_ms: result.durationMillis,
  ...remarks(result)
})

const httpStatus = ({ httpStatus }: PressResult.PressResult) =>
  httpStatus === undefined ? {} : { http_status_code: httpStatus }

const remarks = (result: PressResult.PressResult) => ({
  ...(result.stdoutTruncated || result.stderrTruncated ? { truncated: true } : {}),
  ...(result.recorded ? {} : { recorded: false }),
  ...(result.replayed === true ? { replayed: true } : {})
})

/** A press that ran and did not end well: the code, a sentence, and all the output there is to act on. */
export const unsuccessful = (result: PressResult.PressResult) => ({
  error: true,
  code: result.errorType ?? "SCRIPT_ERROR",
  message: result.stderr.trim() === "" ? PressResult.describe(result) : excerpt(result.stderr.trim(), 500),
  button: result.button,
  reason: result.reason,
  exit_code: result.exitCode,
  ...httpStatus(result),
  ...(result.signal === undefined ? {} : { signal: result.signal }),
  stdout: result.stdout,
  stderr: result.stderr,
  duration_ms: result.durationMillis,
  ...remarks(result)
})

/** A press that ended well and said something else than its button's `output_schema` promises. */
export const unfit = (result: PressResult.PressResult, problem: string) => ({
  ...unsuccessful(result),
  code: "OUTPUT_INVALID",
  message: `${result.button} ended well, but its output does not fit its output_schema: ${problem}`
})

/** A press that never started. The name is what the caller sent, so it may be of any length. */
export const refused = (button: string, { code, message, retryAfterMillis }: Failure) => ({
  error: true,
  code,
  message,
  ...(retryAfterMillis === undefined ? {} : { retry_after_ms: retryAfterMillis }),
  button: excerpt(button)
})
