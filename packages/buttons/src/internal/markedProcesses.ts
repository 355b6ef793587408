/** Which processes bear the mark of a press: what /proc shows of their environments. */
import { Buffer } from "node:buffer"
import * as Effect from "effect/Effect"
import type * as ProcessSignal from "./processSignal.js"
import * as ProcessTable from "./processTable.js"

export const variable = "BUTTONS_PRESS_ID"
/** Between the marks of presses in presses. */
export const separator = ":"

/** Nothing else is looked for: not the empty text, which a variable may well hold. */
export const isId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

export interface Seen {
  readonly marked: ReadonlyArray<ProcessSignal.Target>
  /** Numbers of processes that may have passed the mark on, or may yet show it. */
  readonly uncertain: ReadonlySet<string>
  /** Whether a look failed, so that more may bear the mark than was seen. */
  readonly hasFailed: boolean
}

interface Pass extends Omit<Seen, "marked"> {
  readonly marked: ReadonlyMap<string, ReadonlyArray<ProcessSignal.Target>>
}

/** Processes that are looked at in one go. */
const slice = 64

/** Goes once through the table, and pauses now and then. */
function* inspect(wanted: ReadonlySet<string>): Generator<void, Pass> {
  const ids = new Set([...wanted].filter(isId))
  const marked = new Map<string, Array<ProcessSignal.Target>>()
  const uncertain = new Set<string>()
  const pids = ProcessTable.pids()
  let hasFailed = pids === undefined
  for (const [index, pid] of (pids ?? []).entries()) {
    if (index % slice === slice - 1) yield
    const marks = marksOf(pid)
    if (typeof marks === "string") {
      hasFailed ||= marks === "failed"
      uncertain.add(pid)
      continue
    }
    for (const id of marks) {
      if (!ids.has(id)) continue
      const target = identify(pid, id)
      if (target === undefined) uncertain.add(pid)
      else marked.set(id, [...(marked.get(id) ?? []), target])
    }
  }
  return { marked, uncertain, hasFailed }
}

/** Looks for the mark once more: the number may have gone to another process since. */
const identify = (pid: string, id: string): ProcessSignal.Target | undefined => {
  const facts = ProcessTable.look(pid)
  return facts !== undefined && !facts.isDead && bears(marksOf(pid), id)
    ? { pid: Number(pid), start: facts.start }
    : undefined
}

const prefix = Buffer.from(`${variable}=`)

/** "gone": it ended, or is a zombie. "changing": it is about to become another program. "failed": the look did. */
type Marks = ReadonlyArray<string> | "gone" | "changing" | "failed"

const bears = (marks: Marks, id: string): boolean => typeof marks !== "string" && marks.includes(id)

const marksOf = (pid: number | string): Marks => {
  const environment = ProcessTable.read(pid, "environ")
  if (environment === "closed") return []
  if (environment === "failed") return environment
  if (environment === "gone" || environment.length === 0) return withoutEnvironment(pid)
  for (let at = environment.indexOf(prefix); at !== -1; at = environment.indexOf(prefix, at + 1)) {
    if (at > 0 && environment[at - 1] !== 0) continue
    const end = environment.indexOf(0, at)
    const value = environment.toString("latin1", at + prefix.length, end === -1 ? environment.length : end)
    return value.split(separator)
  }
  return []
}

/** A thread of the kernel has none, a program may have been given none, and one that is just being started has none yet. */
const withoutEnvironment = (pid: number | string): Marks => {
  const facts = ProcessTable.find(pid)
  if (typeof facts === "string") return facts === "closed" ? [] : facts
  if (facts.isKernel) return []
  if (facts.isDead) return "gone"
  const command = ProcessTable.read(pid, "cmdline")
  if (command === "closed") return []
  return typeof command === "string" ? command : command.length === 0 ? "changing" : []
}

/** Whether no process of this number bears the mark, now and in a moment. */
export const isStranger =
  (id: string) =>
  (pid: number): boolean => {
    const marks = marksOf(pid)
    return typeof marks === "string" ? marks === "gone" : !marks.includes(id)
  }

/** One pass for all of them, without a pause. */
export const lookNow = (ids: ReadonlySet<string>): Seen => {
  const passing = inspect(ids)
  let step = passing.next()
  while (!step.done) step = passing.next()
  return { ...step.value, marked: [...step.value.marked.values()].flat() }
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
    for (const { answer, id } of served) {
      answer({ ...step.value, marked: step.value.marked.get(id) ?? [] })
    }
  }
  go()
}
