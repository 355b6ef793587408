/** Which processes bear the mark of a press: what /proc shows of their environments. */
import { Buffer } from "node:buffer"
import * as Fs from "node:fs"
import * as Effect from "effect/Effect"
import * as NodeError from "./nodeError.js"
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
}

interface Pass {
  readonly marked: ReadonlyMap<string, ReadonlyArray<ProcessSignal.Target>>
  readonly uncertain: ReadonlySet<string>
}

/** Processes that are looked at in one go. */
const slice = 64

/** Goes once through the table, and pauses now and then. */
function* inspect(wanted: ReadonlySet<string>): Generator<void, Pass> {
  const ids = new Set([...wanted].filter(isId))
  const marked = new Map<string, Array<ProcessSignal.Target>>()
  const uncertain = new Set<string>()
  for (const [index, pid] of ProcessTable.pids().entries()) {
    if (index % slice === slice - 1) yield
    const marks = marksOf(pid)
    if (marks === undefined) {
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
  return { marked, uncertain }
}

/** Looks for the mark once more: the number may have gone to another process since. */
const identify = (pid: string, id: string): ProcessSignal.Target | undefined => {
  const facts = ProcessTable.look(pid)
  return facts !== undefined && !facts.isDead && marksOf(pid)?.includes(id) === true
    ? { pid: Number(pid), start: facts.start }
    : undefined
}

const prefix = Buffer.from(`${variable}=`)

/** Undefined when it cannot be told: the process ended as we looked, or is about to become another program. */
const marksOf = (pid: string): ReadonlyArray<string> | undefined => {
  const environment = read(`/proc/${pid}/environ`)
  if (environment === "gone") return undefined
  if (environment === "closed") return []
  if (environment.length === 0) {
    const facts = ProcessTable.look(pid)
    if (facts?.isKernel) return []
    const command = facts === undefined || facts.isDead ? "gone" : read(`/proc/${pid}/cmdline`)
    return typeof command === "string" || command.length === 0 ? undefined : []
  }
  for (let at = environment.indexOf(prefix); at !== -1; at = environment.indexOf(prefix, at + 1)) {
    if (at > 0 && environment[at - 1] !== 0) continue
    const end = environment.indexOf(0, at)
    const value = environment.toString("latin1", at + prefix.length, end === -1 ? environment.length : end)
    return value.split(separator)
  }
  return []
}

const read = (path: string): Buffer | "gone" | "closed" => {
  try {
    return Fs.readFileSync(path)
  } catch (error) {
    const code = NodeError.code(error)
    return code === "ENOENT" || code === "ESRCH" ? "gone" : "closed"
  }
}

/** One pass for all of them, without a pause. */
export const lookNow = (ids: ReadonlySet<string>): Seen => {
  const passing = inspect(ids)
  let step = passing.next()
  while (!step.done) step = passing.next()
  return { marked: [...step.value.marked.values()].flat(), uncertain: step.value.uncertain }
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
      answer({ marked: step.value.marked.get(id) ?? [], uncertain: step.value.uncertain })
    }
  }
  go()
}
