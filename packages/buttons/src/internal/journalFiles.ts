/** Notes of running presses as files, one for each. */
import * as Path from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { PressJournal } from "../PressJournal.js"
import type { Run } from "../PressResult.js"
import * as Opening from "./opening.js"
import * as PressMark from "./pressMark.js"
import * as ProcessSignal from "./processSignal.js"
import * as TextFolder from "./textFolder.js"

const Entry = Schema.Struct({
  /** The server: see `Opening`. */
  owner: Schema.String,
  run: Schema.Struct({
    button: Schema.String,
    runId: Schema.String,
    startedAtMillis: Schema.Number,
    caller: Schema.Literal("mcp", "cli"),
    args: Schema.Record({ key: Schema.String, value: Schema.String })
  }),
  mark: Schema.optionalWith(Schema.String.pipe(Schema.filter(PressMark.isId)), { exact: true }),
  leader: Schema.optionalWith(
    Schema.Struct({
      pid: Schema.Int.pipe(Schema.filter(ProcessSignal.isPid)),
      start: Schema.optionalWith(Schema.String, { exact: true })
    }),
    { exact: true }
  )
})

type Entry = typeof Entry.Type

const decode = Schema.decodeUnknownOption(Schema.parseJson(Entry))

/** Of a server in another place nothing is known; but no press runs that long. */
const expiryMillis = 172_800_000

export const make = Effect.fnUntraced(function* (root: string) {
  const folder = Path.join(root, ".pushbutton", "running")
  const owner = yield* Effect.acquireRelease(Effect.promise(Opening.enter), (entered) =>
    Effect.sync(() => Opening.leave(entered))
  )

  const write = (entry: Entry) =>
    attempt("A running press could not be noted", async () => {
      await TextFolder.make(folder)
      await TextFolder.writeFleeting(folder, entry.run.runId, JSON.stringify(entry))
    })
  const remove = (key: string) =>
    attempt("The note of a press could not be removed", () => TextFolder.remove(folder, key))

  const open = (run: Run) => {
    let noted: Entry | undefined
    return Effect.as(
      Effect.addFinalizer(() => (noted === undefined ? Effect.void : remove(run.runId))),
      {
        starting: (mark?: string) => {
          noted = { owner, run, ...(mark === undefined ? {} : { mark }) }
          return write(noted)
        },
        started: ({ pid, start }: { readonly pid: number; readonly start: string | undefined }) =>
          noted === undefined
            ? Effect.void
            : write({ ...noted, leader: { pid, ...(start === undefined ? {} : { start }) } })
      }
    )
  }

  const endAbandoned = Effect.gen(function* () {
    const keys = yield* Effect.promise(() => TextFolder.keys(folder).catch(() => []))
    const now = yield* Clock.currentTimeMillis
    yield* Effect.promise(() => TextFolder.sweep(folder, now).catch(() => {}))
    const abandoned = yield* Effect.forEach(keys, (key) =>
      Effect.gen(function* () {
        const text = yield* Effect.promise(() => TextFolder.read(folder, key).catch(() => undefined))
        const entry = Option.getOrUndefined(decode(text))
        if (entry === undefined || entry.run.runId !== key) return []
        if (yield* Effect.promise(() => Opening.isOver(entry.owner))) yield* endAll(entry)
        else if (now - entry.run.startedAtMillis < expiryMillis) return []
        return [{ run: entry.run, forget: remove(key) }]
      })
    )
    return abandoned.flat()
  })

  const journal: PressJournal["Type"] = { open, endAbandoned }
  return journal
})

/** The group first, as long as it can be told from another of the same number, then all that bears the mark. */
const endAll = ({ leader, mark }: Entry) =>
  Effect.suspend(() => {
    if (leader?.start !== undefined) {
      ProcessSignal.sendToGroup({ pid: leader.pid, start: leader.start }, "SIGKILL")
    }
    return mark === undefined ? Effect.void : PressMark.end(mark)
  })

const attempt = (problem: string, run: () => Promise<void>): Effect.Effect<void> =>
  Effect.tryPromise({ try: run, catch: TextFolder.problem }).pipe(
    Effect.catchAll((code) => Effect.logWarning(`${problem}: ${code}`)),
    Effect.uninterruptible
  )
