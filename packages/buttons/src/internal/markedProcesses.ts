/** Which processes bear the mark of a press: what /proc shows of their environments. */
import { Buffer } from "node:buffer"
import * as Effect from "effect/Effect"
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
}

/** What a pass has seen so far, of several marks. */
class Pass {
  readonly marked = new Map<string, Array<ProcessSignal.Target>>()
  readonly ended = new Map<string, string | undefined>()
  readonly changing = new Map<string, string | undefined>()
  hasFailed = false
  private readonly wanted: ReadonlySet<string>

  constructor(wanted: ReadonlySet<string>) {
    this.wanted = wanted
  }

  look(pid: string): void {
    this.changing.delete(pid)
    const marks = marksOf(pid)
    if (isUnread(marks)) return this.note(pid, marks)
    for (const id of marks) if (this.wanted.has(id)) this.identify(pid, id)
  }

  seen(id: string): Seen {
    const { changing, ended, hasFailed } = this
    return { marked: this.marked.get(id) ?? [], changing, ended, hasFailed }
  }

  /** Looks for the mark once more: the number may have gone to another process since. */
  private identify(pid: string, id: string): void {
    const facts = ProcessTable.find(pid)
    if (typeof facts === "string") return this.note(pid, { why: facts, start: undefined })
    const marks = marksOf(pid)
    if (isUnread(marks)) return this.note(pid, marks)
    if (!marks.includes(id)) return void this.ended.set(pid, undefined)
    this.marked.set(id, [...(this.marked.get(id) ?? []), { pid: Number(pid), start: facts.start }])
  }

  private note(pid: string, { start, why }: ProcessEnvironment.Unread): void {
    if (why === "failed") this.hasFailed = true
    else if (why === "changing") this.changing.set(pid, start)
    else this.ended.set(pid, start)
  }
}

/** Processes that are looked at in one go. */
const slice = 64

/** Goes once through the table, and pauses now and then; what was changing is looked at once more in the end. */
function* inspect(wanted: ReadonlySet<string>): Generator<void, Pass> {
  const pass = new Pass(new Set([...wanted].filter(isId)))
  const pids = ProcessTable.pids()
  pass.hasFailed = pids === undefined
  for (const [index, pid] of (pids ?? []).entries()) {
    if (index % slice === slice - 1) yield
    pass.look(pid)
  }
  if (pass.changing.size > 0) yield
  for (const pid of [...pass.changing.keys()]) pass.look(pid)
  return pass
}

const prefix = Buffer.from(`${variable}=`)

type Marks = ReadonlyArray<string> | ProcessEnvironment.Unread

const isUnread = (marks: Marks): marks is ProcessEnvironment.Unread => "why" in marks

const marksOf = (pid: number | string): Marks => {
  const environment = ProcessEnvironment.read(pid)
  if (!ProcessEnvironment.isUnread(environment)) return marksIn(environment)
  // A program that hides its environment cannot be told from those of other users.
  return environment.why === "closed" ? [] : environment
}

const marksIn = (environment: Buffer): ReadonlyArray<string> => {
  for (let at = environment.indexOf(prefix); at !== -1; at = environment.indexOf(prefix, at + 1)) {
    if (at > 0 && environment[at - 1] !== 0) continue
    const end = environment.indexOf(0, at)
    const value = environment.toString("latin1", at + prefix.length, end === -1 ? environment.length : end)
    return value.split(separator)
  }
  return []
}

/** Whether no process of this number bears the mark, now and in a moment. */
export const isStranger =
  (id: string) =>
  (pid: number): boolean => {
    const marks = marksOf(pid)
    return isUnread(marks) ? marks.why === "gone" : !marks.includes(id)
  }

/** One pass for all of them, without a pause. */
export const lookNow = (ids: ReadonlySet<string>): Seen => {
  const passing = inspect(ids)
  let step = passing.next()
  while (!step.done) step = passing.next()
  const { changing, ended, hasFailed, marked } = step.value
  return { marked: [...marked.values()].flat(), changing, ended, hasFailed }
}

interface Request {
  readonly id: string
  readonly answer: (seen: Seen) => void
}

let requests: ReadonlyArray<Request> = []
let isLooking = false

/** Presses that end together share a pass, which begins after each has asked. */
export const look = (id: string): Effect.Effect<Seen> =>
  Effect.async<Seen>((resume) => {
    requests = [...requests, { id, answer: (seen) => resume(Effect.succeed(seen)) }]
    if (!isLooking) setImmediate(lookForAll)
    isLooking = true
  })

const lookForAll = (): void => {
  const served = requests
  requests = []
  const passing = inspect(new Set(served.map(({ id }) => id)))
  const go = (): void => {
    const step = passing.next()
    if (!step.done) return void setImmediate(go)
    isLooking = requests.length > 0
    if (isLooking) setImmediate(lookForAll)
    for (const { answer, id } of served) answer(step.value.seen(id))
  }
  go()
}
