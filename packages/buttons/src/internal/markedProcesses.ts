/** Which processes bear the mark of a press: what /proc shows of their environments. */
import { Buffer } from "node:buffer"
import * as Effect from "effect/Effect"
import * as BornSince from "./bornSince.js"
import * as Leaders from "./leaders.js"
import * as ProcessEnvironment from "./processEnvironment.js"
import type * as ProcessSignal from "./processSignal.js"
import * as ProcessTable from "./processTable.js"

export const variable = "BUTTONS_PRESS_ID"
/** Between the marks of presses in presses. */
export const separator = ":"

/** Nothing else is looked for: not the empty text, which a variable may well hold. */
export const isId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

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
class Pass {
  readonly marked = new Map<string, Map<string, ProcessSignal.Target>>()
  readonly ended = new Map<string, string | undefined>()
  readonly changing = new Map<string, string | undefined>()
  hasFailed = false
  isComplete = false
  private readonly wanted: ReadonlyMap<string, ReadonlyArray<Found>>

  /** By the ids that are looked for. */
  constructor(wanted: ReadonlyMap<string, ReadonlyArray<Found>>) {
    this.wanted = new Map([...wanted].filter(([id]) => isId(id)))
  }

  look(pid: string): void {
    this.changing.delete(pid)
    const marks = marksOf(pid)
    if (typeof marks !== "string") return this.note(pid, marks)
    if (marks === "") return
    for (const [id, found] of this.wanted) if (includes(marks, id)) this.identify(pid, id, found)
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
    const marks = marksOf(pid)
    if (typeof marks !== "string") return this.note(pid, marks)
    if (!includes(marks, id)) return void this.ended.set(pid, undefined)
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
const maxNewer = 1_024

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
function* inspect(wanted: ReadonlyMap<string, ReadonlyArray<Found>>): Generator<void, Pass> {
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
  pass.isComplete = yield* lookSince(pass, last)
  return pass
}

function* lookAtAll(pass: Pass, pids: ReadonlyArray<string>): Generator<void, void> {
  for (const [index, pid] of pids.entries()) {
    if (index % slice === slice - 1) yield
    pass.look(pid)
  }
}

/** Looks at the numbers after this one, and says whether there are no more in the end. */
function* lookSince(pass: Pass, number: number): Generator<void, boolean> {
  let seen = number
  for (let round = 0; round < maxRounds; round++) {
    const newest = lastNumber()
    if (newest === undefined || newest < seen || newest - number > maxNewer) return false
    if (newest === seen) return true
    const first = seen + 1
    yield* lookAtAll(
      pass,
      Array.from({ length: newest - seen }, (_, index) => String(first + index))
    )
    seen = newest
  }
  return false
}

/** Undefined also where it cannot be the last, since one of our own is above it. */
const lastNumber = (): number | undefined => {
  const last = BornSince.lastNumber()
  return last !== undefined && last < (Leaders.newest() ?? 0) ? undefined : last
}

const prefix = Buffer.from(`${variable}=`)

/** All that its variables of that name hold, each mark between separators; empty for none. */
type Marks = string | ProcessEnvironment.Unread

const includes = (marks: string, id: string): boolean => marks.includes(`${separator}${id}${separator}`)

const marksOf = (pid: number | string): Marks => {
  const environment = ProcessEnvironment.read(pid)
  if (!ProcessEnvironment.isUnread(environment)) return marksIn(environment)
  // A program that hides its environment cannot be told from those of other users.
  return environment.why === "closed" ? "" : environment
}

const marksIn = (environment: Buffer): string => {
  let marks = ""
  for (let at = environment.indexOf(prefix); at !== -1; at = environment.indexOf(prefix, at + 1)) {
    if (at > 0 && environment[at - 1] !== 0) continue
    const end = environment.indexOf(0, at)
    const value = environment.toString("latin1", at + prefix.length, end === -1 ? environment.length : end)
    marks += `${separator}${value}${separator}`
  }
  return marks
}

/** Whether no process of this number bears the mark, now and in a moment. */
export const isStranger =
  (id: string) =>
  (pid: number): boolean => {
    const marks = marksOf(pid)
    return typeof marks === "string" ? !includes(marks, id) : marks.why === "gone"
  }

/** One pass for all of them, without a pause. */
export const lookNow = (ids: ReadonlySet<string>, found: Found = ignore): Seen => {
  const passing = inspect(new Map([...ids].map((id) => [id, [found]])))
  let step = passing.next()
  while (!step.done) step = passing.next()
  return step.value.seenOfAll()
}

const ignore: Found = () => {}

interface Request {
  readonly id: string
  readonly found: Found
  readonly answer: (seen: Effect.Effect<Seen>) => void
}

let requests: ReadonlyArray<Request> = []
let isLooking = false

/** Presses that end together share a pass, which begins after each has asked. */
export const look = (id: string, found: Found = ignore): Effect.Effect<Seen> =>
  Effect.async<Seen>((resume) => {
    const request: Request = { id, found, answer: resume }
    requests = [...requests, request]
    if (!isLooking) setImmediate(lookForAll)
    isLooking = true
    return Effect.sync(() => {
      requests = requests.filter((other) => other !== request)
    })
  })

const lookForAll = (): void => {
  const served = requests
  requests = []
  const wanted = new Map<string, Array<Found>>()
  for (const { found, id } of served) wanted.set(id, [...(wanted.get(id) ?? []), found])
  const passing = inspect(wanted)
  const go = (): void => {
    const step = stepOf(passing)
    if (!step.done) return void setImmediate(go)
    isLooking = requests.length > 0
    if (isLooking) setImmediate(lookForAll)
    for (const { answer, id } of served) answer(Effect.map(step.value, (pass) => pass.seen(id)))
  }
  go()
}

/** Nobody would hear of a defect here. */
const stepOf = (passing: Generator<void, Pass>): IteratorResult<void, Effect.Effect<Pass>> => {
  try {
    const step = passing.next()
    return step.done ? { done: true, value: Effect.succeed(step.value) } : step
  } catch (defect) {
    return { done: true, value: Effect.die(defect) }
  }
}
