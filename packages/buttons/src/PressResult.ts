/** What a press that was carried out gives: the format's result keys in typed form, and the record made of them. */
import type { HttpOutcome } from "./http/HttpRunner.js"
import { byteLength } from "./internal/text.js"
import type { NewPressRecord } from "./PressRecord.js"
import type { CapturedOutput, Cut, Output, PressOutcome } from "./PressRunner.js"

/** The surface a press came through. */
export type Caller = "mcp" | "cli"

/** What defines a button: its folder, the definitions file, or a resource of that file, of whose runs there is no history. */
export type Origin = "folder" | "definitions" | "resource"

/** What is known of a press before it runs. */
export interface Run {
  /** The slug. */
  readonly button: string
  readonly runId: string
  readonly startedAtMillis: number
  readonly caller: Caller
  /** Texts by argument name; what a name says to be secret is not in them. */
  readonly args: Readonly<Record<string, string>>
  /** Where it is recorded, whatever becomes of the button while it runs; of a folder when left out. */
  readonly origin?: Origin
}

export interface PressResult extends Run {
  readonly status: "ok" | "error" | "timeout"
  readonly reason: PressOutcome["reason"] | HttpOutcome["reason"] | "prompt" | "cancelled" | "interrupted"
  /** -1 unless the program exited; 0 for a prompt; of an HTTP button the status that was answered. */
  readonly exitCode: number
  readonly httpStatus?: number
  readonly stdout: string
  readonly stderr: string
  /** What the program wrote, in bytes, kept or not. */
  readonly stdoutBytes: number
  readonly stderrBytes: number
  readonly stdoutTruncated: boolean
  readonly stderrTruncated: boolean
  /** Where the outputs are cut, until secrets are taken out of them. */
  readonly cuts?: { readonly stdout: Cut | undefined; readonly stderr: Cut | undefined }
  readonly durationMillis: number
  readonly errorType?: "SCRIPT_ERROR" | "TIMEOUT" | "CANCELLED" | "INTERRUPTED" | "VALIDATION_ERROR"
  /** The signal that ended the program. */
  readonly signal?: string
  /** What the press was allowed; a prompt has no limit. */
  readonly timeoutSeconds?: number
  /** Whether the run is in the button's history. */
  readonly recorded: boolean
  /** Set when this is what an earlier press under the same idempotency key gave. */
  readonly replayed?: boolean
}

const silent: CapturedOutput = { text: "", bytes: 0, truncated: false }

const streams = ({ stderr, stdout }: Output) => ({
  stdout: stdout.text,
  stderr: stderr.text,
  stdoutBytes: stdout.bytes,
  stderrBytes: stderr.bytes,
  stdoutTruncated: stdout.truncated,
  stderrTruncated: stderr.truncated,
  cuts: { stdout: stdout.cut, stderr: stderr.cut }
})

export const fromOutcome = (run: Run, outcome: PressOutcome, timeoutSeconds: number): PressResult => ({
  ...run,
  ...verdict(outcome),
  reason: outcome.reason,
  exitCode: outcome.exitCode,
  ...streams(outcome),
  ...(outcome.startError === undefined ? {} : { stderr: `Not started: ${outcome.startError.message}` }),
  durationMillis: outcome.durationMillis,
  ...(outcome.signal === undefined ? {} : { signal: outcome.signal }),
  timeoutSeconds,
  recorded: true
})

const verdict = (outcome: PressOutcome): Pick<PressResult, "status" | "errorType"> => {
  if (outcome.reason === "exited" && outcome.exitCode === 0) return { status: "ok" }
  if (outcome.reason === "timed-out") return { status: "timeout", errorType: "TIMEOUT" }
  return { status: "error", errorType: "SCRIPT_ERROR" }
}

/** An answer from 200 to 399 is a success. Any other leaves what was answered in the output too. */
export const fromHttp = (run: Run, outcome: HttpOutcome, timeoutSeconds: number): PressResult => {
  const { body, durationMillis, head, reason } = outcome
  const status = reason === "responded" ? head?.status : undefined
  return {
    ...run,
    ...httpVerdict(reason, status),
    reason,
    exitCode: status ?? -1,
    ...(status === undefined ? {} : { httpStatus: status }),
    ...streams({ stdout: body, stderr: said(httpRemark(outcome)) }),
    durationMillis,
    timeoutSeconds,
    recorded: true
  }
}

const isSuccess = (status: number | undefined): boolean =>
  status !== undefined && status >= 200 && status <= 399

const httpVerdict = (
  reason: HttpOutcome["reason"],
  status: number | undefined
): Pick<PressResult, "status" | "errorType"> => {
  if (isSuccess(status)) return { status: "ok" }
  if (reason === "timed-out") return { status: "timeout", errorType: "TIMEOUT" }
  return { status: "error", errorType: reason === "refused" ? "VALIDATION_ERROR" : "SCRIPT_ERROR" }
}

const httpRemark = ({ detail, head, reason }: HttpOutcome): string => {
  switch (reason) {
    case "responded":
      return isSuccess(head?.status) ? "" : `HTTP ${head?.status ?? 0} ${head?.statusText ?? ""}`.trim()
    case "refused":
      return `Refused: ${detail ?? ""}`
    case "unreachable":
      return `Not reached: ${detail ?? ""}`
    case "timed-out":
      return ""
  }
}

const said = (text: string): CapturedOutput => ({ text, bytes: byteLength(text), truncated: false })

/** A prompt button answers with its note and starts nothing. */
export const fromPrompt = (run: Run, text: string): PressResult => ({
  ...run,
  ...streams({ stdout: said(text), stderr: silent }),
  status: "ok",
  reason: "prompt",
  exitCode: 0,
  durationMillis: 0,
  recorded: true
})

/** Only recorded: whoever asked for the press no longer waits for an answer. */
export const cancelled = (run: Run, nowMillis: number, written: Output | undefined): PressResult => ({
  ...run,
  ...unanswered(run, nowMillis),
  ...streams(written ?? { stdout: silent, stderr: silent }),
  reason: "cancelled",
  errorType: "CANCELLED"
})

/** Only recorded, by the next server: the one that ran the press died, and what the button wrote is lost. */
export const interrupted = (run: Run, nowMillis: number): PressResult => ({
  ...run,
  ...unanswered(run, nowMillis),
  ...streams({ stdout: silent, stderr: said("The server died while this ran; what it wrote is lost.\n") }),
  reason: "interrupted",
  errorType: "INTERRUPTED"
})

const unanswered = (run: Run, nowMillis: number) => ({
  status: "error" as const,
  exitCode: -1,
  durationMillis: Math.max(0, nowMillis - run.startedAtMillis),
  recorded: true
})

export const startedAt = (run: Run): string => new Date(run.startedAtMillis).toISOString()

export const toRecord = (result: PressResult): NewPressRecord => ({
  button_name: result.button,
  started_at: startedAt(result),
  finished_at: new Date(result.startedAtMillis + result.durationMillis).toISOString(),
  exit_code: result.exitCode,
  ...(result.httpStatus === undefined ? {} : { http_status_code: result.httpStatus }),
  status: result.status,
  ...(result.errorType === undefined ? {} : { error_type: result.errorType }),
  stdout: result.stdout,
  stderr: result.stderr,
  duration_ms: result.durationMillis,
  ...(Object.keys(result.args).length === 0 ? {} : { args: result.args }),
  run_id: result.runId,
  caller: result.caller,
  reason: result.reason,
  truncated: result.stdoutTruncated || result.stderrTruncated
})

/** One sentence on how it ended. */
export const describe = (result: PressResult): string => {
  switch (result.reason) {
    case "exited":
      return `${result.button} exited with code ${result.exitCode}`
    case "signalled":
      return `${result.button} was ended by ${result.signal ?? "a signal"}`
    case "timed-out":
      return `${result.button} was stopped after ${result.timeoutSeconds ?? 0} s`
    case "not-started":
      return `${result.button} could not be started`
    case "cancelled":
      return `${result.button} was cancelled`
    case "interrupted":
      return `${result.button} was ended because its server died`
    case "prompt":
      return `${result.button} answered with its prompt`
    case "responded":
      return `${result.button} was answered with HTTP status ${result.exitCode}`
    case "refused":
      return `${result.button} was not sent where it would lead`
    case "unreachable":
      return `${result.button} got no whole answer`
  }
}
