/**
 * Presses mark what they start, in its environment, with a value that nobody can guess. Whatever leaves the process
 * group of its press (`setsid`, `setpgid`, the jobs of a shell under `set -m`) keeps the mark, and is found by it where
 * /proc shows environments. A process that gives up its environment is not.
 */
import { Buffer } from "node:buffer"
import { randomBytes } from "node:crypto"
import * as Fs from "node:fs"
import * as Effect from "effect/Effect"
import * as NodeError from "./nodeError.js"
import * as ProcessSignal from "./processSignal.js"
import * as ProcessTable from "./processTable.js"

export const variable = "BUTTONS_PRESS_ID"

export interface PressMark {
  readonly id: string
  /** What the variable holds: the id, after those of the presses that this server itself runs in. */
  readonly value: string
}

const separator = ":"
const maxOuterLength = 1_024

/** `outer` is the server's own variable: a press that is ended takes the presses of a server in it along. */
export const make = (outer: string | undefined): PressMark => {
  const id = randomBytes(16).toString("hex")
  const isNested = outer !== undefined && outer !== "" && outer.length <= maxOuterLength
  return { id, value: isNested ? `${outer}${separator}${id}` : id }
}

/** Nothing else is looked for: not the empty text, which a variable may well hold. */
export const isId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

/** Kills whatever bears the mark until nothing does. False when something withstood for two seconds. */
export const end = (id: string): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    let before: ReadonlySet<string> = new Set()
    for (let pass = 0; pass < maxPasses; pass++) {
      const seen = yield* look(id)
      if (isOver(seen, before)) return true
      for (const target of seen.marked) ProcessSignal.send(target, "SIGKILL")
      before = seen.uncertain
      if (pass >= hastyPasses) yield* Effect.sleep(pauseMillis)
    }
    return false
  })

/**
 * Asks what bears the mark to end, outside of the group, which is asked as one. Gives an effect that completes when
 * nothing bears it any more, if anything was asked.
 */
export const askToEnd = (id: string, group: number): Effect.Effect<Effect.Effect<void>> =>
  Effect.map(look(id), ({ marked }) => {
    const outside = marked.filter(({ pid }) => ProcessTable.look(pid)?.group !== group)
    for (const target of outside) ProcessSignal.send(target, "SIGTERM")
    return outside.length === 0 ? Effect.void : unmarked(id)
  })

const unmarked = Effect.fnUntraced(function* (id: string) {
  while ((yield* look(id)).marked.length > 0) yield* Effect.sleep(pauseMillis)
})

/** The same as `end`, for the last moment of this process: without waiting. */
export const endNow = (ids: ReadonlySet<string>): void => {
  let before: ReadonlySet<string> = new Set()
  for (let pass = 0; ids.size > 0 && pass < maxPasses; pass++) {
    const passing = inspect(ids)
    let step = passing.next()
    while (!step.done) step = passing.next()
    const marked = [...step.value.marked.values()].flat()
    if (isOver({ marked, uncertain: step.value.uncertain }, before)) return
    for (const target of marked) ProcessSignal.send(target, "SIGKILL")
    before = step.value.uncertain
  }
}

const maxPasses = 100
const hastyPasses = 5
const pauseMillis = 20

interface Seen {
  readonly marked: ReadonlyArray<ProcessSignal.Target>
  /** Numbers of processes that may have passed the mark on, or may yet show it. */
  readonly uncertain: ReadonlySet<string>
}

/** What was uncertain in the pass before, too, stays so, and started nothing meanwhile that this pass did not see. */
const isOver = ({ marked, uncertain }: Seen, before: ReadonlySet<string>): boolean =>
  marked.length === 0 && [...uncertain].every((pid) => before.has(pid))

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
      const target = ids.has(id) ? identify(pid, id) : undefined
      if (target !== undefined) marked.set(id, [...(marked.get(id) ?? []), target])
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

interface Request {
  readonly id: string
  readonly answer: (seen: Seen) => void
}

let requests: ReadonlyArray<Request> = []
let isLooking = false

/** Presses that end together share a pass, which begins after each has asked. */
const look = (id: string): Effect.Effect<Seen> =>
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
