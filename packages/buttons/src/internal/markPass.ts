/** One look at all processes, for the marks of several presses. */
import * as BornSince from "./bornSince.js"
import * as Leaders from "./leaders.js"
import type * as ProcessEnvironment from "./processEnvironment.js"
import * as ProcessMarks from "./processMarks.js"
import type * as ProcessSignal from "./processSignal.js"
import * as ProcessTable from "./processTable.js"

/** By their numbers when they started; undefined where that was not seen. */
export type Numbers = ReadonlyMap<string, string | undefined>

export interface Seen {
  readonly marked: ReadonlyArray<ProcessSignal.Target>
  /** Processes that have ended, and may have passed the mark on before. */
  readonly ended: Numbers
  /** Processes that were becoming another program, and may bear the mark. */
  readonly changing: Numbers
  /** Whether a look failed, so that more may bear the mark than was seen. */
  readonly hasFailed: boolean
  /** Whether it is certain that no process was missed that was started meanwhile. */
  readonly isComplete: boolean
}

/** Told of each process that bears the mark as soon as it is seen: it may start another one and end at any moment. */
export type Found = (target: ProcessSignal.Target) => void

/** What a pass has seen so far, of several marks. */
export class Pass {
  readonly marked = new Map<string, Map<string, ProcessSignal.Target>>()
  readonly ended = new Map<string, string | undefined>()
  readonly changing = new Map<string, string | undefined>()
  hasFailed = false
  isComplete = false
  private readonly wanted: ReadonlyMap<string, ReadonlyArray<Found>>

  /** By the ids that are looked for. */
  constructor(wanted: ReadonlyMap<string, ReadonlyArray<Found>>) {
    this.wanted = new Map([...wanted].filter(([id]) => ProcessMarks.isId(id)))
  }

  look(pid: string): void {
    this.changing.delete(pid)
    const marks = ProcessMarks.of(pid)
    if (typeof marks !== "string") return this.note(pid, marks)
    if (marks === "") return
    for (const [id, found] of this.wanted) if (ProcessMarks.includes(marks, id)) this.identify(pid, id, found)
  }

  seen(id: string): Seen {
    return { ...this.facts(), marked: [...(this.marked.get(id)?.values() ?? [])] }
  }

  seenOfAll(): Seen {
    return { ...this.facts(), marked: [...this.marked.values()].flatMap((targets) => [...targets.values()]) }
  }

  private facts(): Omit<Seen, "marked"> {
    const { changing, ended, hasFailed, isComplete } = this
    return { changing, ended, hasFailed, isComplete }
  }

  /** Looks for the mark once more: the number may have gone to another process since. */
  private identify(pid: string, id: string, found: ReadonlyArray<Found>): void {
    const facts = ProcessTable.find(pid)
    if (typeof facts === "string") return this.note(pid, { why: facts, start: undefined })
    const marks = ProcessMarks.of(pid)
    if (typeof marks !== "string") return this.note(pid, marks)
    if (!ProcessMarks.includes(marks, id)) return void this.ended.set(pid, undefined)
    const process = ProcessTable.processOf(pid)
    if (typeof process === "string") return this.note(pid, { why: process, start: undefined })
    // A process is looked at by its own number, and not by those of its other threads.
    if (process.pid !== pid) return
    const targets = this.marked.get(id) ?? new Map<string, ProcessSignal.Target>()
    this.marked.set(id, targets)
    if (targets.get(pid)?.start === facts.start) return
    const target = { pid: Number(pid), start: facts.start }
    targets.set(pid, target)
    for (const tell of found) tell(target)
  }

  private note(pid: string, { start, why }: ProcessEnvironment.Unread): void {
    if (why === "failed") this.hasFailed = true
    else if (why === "changing") this.changing.set(pid, start)
    else this.ended.set(pid, start)
  }
}

/** Processes that are looked at in one go. */
const slice = 64
/** How often new ones may come up while we look at those that have. */
const maxRounds = 16
/** More are not looked at one by one. */
const maxLooks = 1_024

/**
 * Goes once through the table, and pauses now and then; what was changing is looked at once more, and last what was
 * started meanwhile.
 *
 * A pass that saw nothing has missed nothing if, when it ends, it has looked at all numbers since `last`. A process that
 * was missed has a parent that bore the mark, had a smaller number, and had ended when we looked at it, or we would have
 * seen it. So the child could be seen by then; it is in one of the tables, or its number is above `last`. (A number is
 * given out a moment before the process can be seen, in which the parent lives: hence the second table.) What hides its
 * environment when we look at it is no part of this.
 */
export function* inspect(wanted: ReadonlyMap<string, ReadonlyArray<Found>>): Generator<void, Pass> {
  const pass = new Pass(wanted)
  const last = lastNumber()
  const pids = ProcessTable.pids()
  pass.hasFailed = pids === undefined
  yield* lookAtAll(pass, pids ?? [])
  if (pass.changing.size > 0) yield
  for (const pid of [...pass.changing.keys()]) pass.look(pid)
  if (last === undefined) return pass
  const known = new Set(pids)
  const again = ProcessTable.pids()
  pass.hasFailed ||= again === undefined
  yield* lookAtAll(pass, again?.filter((pid) => !known.has(pid)) ?? [])
  pass.isComplete = yield* BornSince.visit(
    last,
    (pid) => {
      pass.look(String(pid))
      return true
    },
    { maxLooks, maxRounds, last: lastNumber }
  )
  return pass
}

function* lookAtAll(pass: Pass, pids: ReadonlyArray<string>): Generator<void, void> {
  for (const [index, pid] of pids.entries()) {
    if (index % slice === slice - 1) yield
    pass.look(pid)
  }
}

/** Undefined also where it cannot be the last, since one of our own is above it. */
const lastNumber = (): number | undefined => {
  const last = BornSince.lastNumber()
  return last !== undefined && last < (Leaders.newest() ?? 0) ? undefined : last
}
