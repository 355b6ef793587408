/**
 * The text of a journal: one JSON object in each line, the first of which names the server. A line begins by ending the
 * one before, which may not have been written whole; then that one says nothing.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Run } from "../PressResult.js"
import type { Leader } from "../PressRunner.js"
import * as PressMark from "./pressMark.js"
import * as ProcessSignal from "./processSignal.js"
import { optional } from "./schemas.js"

const Opened = Schema.Struct({ owner: Schema.String })

const Starting = Schema.Struct({
  starting: Schema.Struct({
    button: Schema.String,
    runId: Schema.String,
    startedAtMillis: Schema.Number,
    caller: Schema.Literal("mcp", "cli"),
    args: Schema.Record({ key: Schema.String, value: Schema.String }),
    origin: optional(Schema.Literal("folder", "definitions", "resource"))
  }),
  mark: optional(Schema.String.pipe(Schema.filter(PressMark.isId)))
})

const Started = Schema.Struct({
  started: Schema.String,
  leader: Schema.Struct({
    pid: Schema.Int.pipe(Schema.filter(ProcessSignal.isPid)),
    start: optional(Schema.String)
  })
})

const Ended = Schema.Struct({ ended: Schema.String })

const decodeOpened = Schema.decodeUnknownOption(Schema.parseJson(Opened))
const decodeLine = Schema.decodeUnknownOption(Schema.parseJson(Schema.Union(Starting, Started, Ended)))

/** A press that has begun and not ended. */
export interface Entry {
  readonly run: Run
  /** Of what a program starts; a request has none. */
  readonly mark?: string
  readonly leader?: Leader
}

export interface Journal {
  /** The server: see `Opening`. */
  readonly owner: string
  readonly running: ReadonlyArray<Entry>
}

const line = (value: unknown): string => `\n${JSON.stringify(value)}`

export const opened = (owner: string): string => line({ owner })

export const starting = (run: Run, mark: string | undefined): string => line({ starting: run, mark })

/** `runId` is that of a run that is there. */
export const started = (runId: string, { pid, start }: Leader): string =>
  line({ started: runId, leader: { pid, start } })

export const ended = (runId: string): string => line({ ended: runId })

/** The lines that say of each run that it goes on. */
export const entries = ({ owner, running }: Journal): string =>
  opened(owner) +
  running
    .map(({ leader, mark, run }) => starting(run, mark) + (leader ? started(run.runId, leader) : ""))
    .join("")

/** None when the text is no journal. */
export const read = (text: string): Option.Option<Journal> => {
  const [first = "", ...rest] = text.split("\n").filter((one) => one !== "")
  return Option.map(decodeOpened(first), ({ owner }) => {
    const running = new Map<string, Entry>()
    for (const one of rest) {
      const value = Option.getOrUndefined(decodeLine(one))
      if (value === undefined) continue
      if ("ended" in value) running.delete(value.ended)
      else if ("starting" in value) {
        const { mark, starting: run } = value
        running.set(run.runId, mark === undefined ? { run } : { run, mark })
      } else {
        const entry = running.get(value.started)
        const { pid, start } = value.leader
        if (entry !== undefined) running.set(value.started, { ...entry, leader: { pid, start } })
      }
    }
    return { owner, running: [...running.values()] }
  })
}
