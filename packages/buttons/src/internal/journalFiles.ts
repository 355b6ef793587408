/** Journals of running presses as files, one for each server. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import type { PressJournal } from "../PressJournal.js"
import type { Run } from "../PressResult.js"
import type { Leader } from "../PressRunner.js"
import * as JournalEntry from "./journalEntry.js"
import * as JournalFile from "./journalFile.js"
import * as NodeError from "./nodeError.js"
import * as Opening from "./opening.js"
import * as OwnFolder from "./ownFolder.js"
import * as PressMark from "./pressMark.js"
import * as ProcessSignal from "./processSignal.js"

/** Of a server in another place nothing is known; but no press runs that long. */
const expiryMillis = 172_800_000

/** Ends what is left of a press. */
export type End = (entry: JournalEntry.Entry) => Effect.Effect<unknown>

export const make = Effect.fnUntraced(function* (root: string, end: End = endAll) {
  const folder = Path.join(root, OwnFolder.hidden, "running")
  const owner = yield* Effect.acquireRelease(Effect.sync(Opening.enter), (entered) =>
    Effect.sync(() => Opening.leave(entered))
  )
  const file = yield* Effect.acquireRelease(
    Effect.sync(() => JournalFile.make(root, owner)),
    ({ close }) => attempt("The journal of presses could not be removed", close)
  )

  const open = (run: Run) => {
    let isNoted = false
    const end = Effect.suspend(() =>
      isNoted ? attempt("The note of a press could not be removed", () => file.ended(run.runId)) : Effect.void
    )
    return Effect.as(
      Effect.flatMap(Effect.scope, (scope) => Scope.addFinalizer(scope, end)),
      {
        starting: (mark?: string) =>
          attempt("A running press could not be noted", () => {
            isNoted = true
            file.starting(run, mark)
          }),
        started: (leader: Leader) =>
          attempt("A running press could not be noted", () => file.started(run.runId, leader))
      }
    )
  }

  /** What is left of the presses of a journal; nothing while its server may live. */
  const endJournal = Effect.fnUntraced(function* (path: string, now: number) {
    const text = read(path)
    const journal = Option.getOrUndefined(JournalEntry.read(text))
    if (journal === undefined) {
      removeOld(path, now)
      return []
    }
    const isOver = Opening.isOver(journal.owner)
    const isHere = Opening.isHere(journal.owner)
    const isAbandoned = ({ run }: JournalEntry.Entry) =>
      isOver || (!isHere && now - run.startedAtMillis >= expiryMillis)
    const abandoned = journal.running.filter(isAbandoned)
    // Elsewhere, and before the host was started anew, its numbers and marks meant other processes.
    if (isOver && isHere) yield* Effect.forEach(abandoned, end, { discard: true })
    if (isOver && journal.running.length === 0) yield* attempt(leftBehind, () => remove(path))
    return abandoned.map(({ run }) => ({
      run,
      forget: attempt(leftBehind, () => forget(path, run.runId))
    }))
  })

  const endAbandoned = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const abandoned = yield* Effect.forEach(names(folder), (name) => endJournal(Path.join(folder, name), now))
    return abandoned.flat()
  })

  const journal: PressJournal["Type"] = { open, endAbandoned }
  return journal
})

const leftBehind = "The note of a press that was ended could not be removed"

/** The group first, as long as it can be told from another of the same number, then all that bears the mark. */
const endAll: End = ({ leader, mark }) =>
  Effect.suspend(() => {
    if (leader?.start !== undefined) {
      ProcessSignal.sendToGroup({ pid: leader.pid, start: leader.start }, "SIGKILL")
    }
    return mark === undefined ? Effect.void : PressMark.end({ id: mark, since: leader?.start })
  })

/** None in a folder that somebody else could have written into: what is noted there is ended. */
const names = (folder: string): ReadonlyArray<string> => {
  try {
    return [Path.dirname(folder), folder].every(OwnFolder.isThere) ? Fs.readdirSync(folder) : []
  } catch {
    return []
  }
}

/** Empty when it cannot be read: another server may have removed it. */
const read = (path: string): string => {
  if (!path.endsWith(JournalFile.ending)) return ""
  try {
    // A named pipe would keep whoever opens it waiting for its writer.
    const descriptor = Fs.openSync(
      path,
      Fs.constants.O_RDONLY | Fs.constants.O_NOFOLLOW | Fs.constants.O_NONBLOCK
    )
    try {
      return Fs.fstatSync(descriptor).isFile() ? Fs.readFileSync(descriptor, "utf8") : ""
    } finally {
      Fs.closeSync(descriptor)
    }
  } catch {
    return ""
  }
}

/** The last one to forget removes the file. */
const forget = (path: string, runId: string): void => {
  const descriptor = Fs.openSync(path, existing)
  try {
    Fs.writeSync(descriptor, JournalEntry.ended(runId))
  } finally {
    Fs.closeSync(descriptor)
  }
  const journal = JournalEntry.read(read(path))
  if (Option.isSome(journal) && journal.value.running.length === 0) remove(path)
}

const existing = Fs.constants.O_WRONLY | Fs.constants.O_APPEND

const remove = (path: string): void => Fs.rmSync(path, { force: true })

/** What nobody can read was left by a server that died as it began to write, or by something else. */
const removeOld = (path: string, now: number): void => {
  try {
    if (now - Fs.lstatSync(path).mtimeMs > expiryMillis) remove(path)
  } catch {
    // It is gone, or is a folder.
  }
}

const attempt = (problem: string, run: () => void): Effect.Effect<void> =>
  Effect.try({ try: run, catch: NodeError.code }).pipe(
    Effect.catchAll((code) => Effect.logWarning(`${problem}: ${code}`)),
    Effect.uninterruptible
  )
