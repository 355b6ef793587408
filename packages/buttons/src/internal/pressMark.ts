/**
 * Presses mark what they start, in its environment, with a value that nobody can guess. Whatever leaves the process
 * group of its press (`setsid`, `setpgid`, the jobs of a shell under `set -m`) keeps the mark, and is found by it where
 * /proc shows environments. A process that gives up its environment is not.
 */
import * as Effect from "effect/Effect"
import * as BornSince from "./bornSince.js"
import * as Leaders from "./leaders.js"
import * as Marked from "./markedProcesses.js"
import type * as MarkPass from "./markPass.js"
import * as ProcessMarks from "./processMarks.js"
import * as ProcessSignal from "./processSignal.js"
import * as ProcessTable from "./processTable.js"
import * as RandomId from "./randomId.js"

export const { variable } = ProcessMarks

export interface PressMark {
  readonly id: string
  /** What the variable holds: the id, after those of the presses that this server itself runs in. */
  readonly value: string
}

const maxOuterLength = 1_024

/** `outer` is the server's own variable: a press that is ended takes the presses of a server in it along. */
export const make = (outer: string | undefined): PressMark => {
  const id = RandomId.long()
  const isNested = outer !== undefined && outer !== "" && outer.length <= maxOuterLength
  return { id, value: isNested ? `${outer}${ProcessMarks.separator}${id}` : id }
}

export const isId: (text: string) => boolean = ProcessMarks.isId

/** Whether it is certain that nothing bears the mark any more; cheap, and asked of a leader that has just ended. */
export const isUnborne = (id: string, leader: number, ageMillis: number): boolean => {
  const isStranger = ProcessMarks.isStranger(id)
  return (
    ageMillis <= BornSince.maxAgeMillis &&
    // Numbers do not come back within that time: one that went to another press's leader since needs no look.
    BornSince.isNothingLeft(leader, (pid) => Leaders.isLater(pid, leader) || isStranger(pid))
  )
}

/** A mark, and when the first that bore it started; undefined where nobody says. Nothing older bears it. */
export interface Bearers {
  readonly id: string
  readonly since: string | undefined
}

/** "left": something withstood for two seconds, or nobody could look. "unsure": what may bear it cannot be looked at. */
export type End = "gone" | "unsure" | "left"

/** Kills whatever bears the mark until nothing does. */
export const end = (bearers: Bearers): Effect.Effect<End> =>
  Effect.gen(function* () {
    const verdictOf = judge()
    for (let pass = 0; pass < maxPasses; pass++) {
      const verdict = verdictOf(yield* look(bearers, kill))
      if (verdict !== undefined) return verdict
      yield* Effect.sleep(pass < hastyPasses ? hastyMillis : pauseMillis)
    }
    return "left"
  })

/** Asks what was seen to end, and completes when nothing bears the mark any more, if anything was to be asked. */
export type Asking = (group: number) => Effect.Effect<void>

/**
 * Looks for what bears the mark, to be asked to end outside of the group, which is asked as one. What is started after
 * this look is not asked: it may be what the others clean up with.
 */
export const toBeAsked = (bearers: Bearers): Effect.Effect<Asking> =>
  Effect.map(look(bearers), (first) => (group) => {
    let hasAsked = ask(first.marked, group)
    let unasked = new Set(first.changing.keys())
    const verdictOf = judge()
    return Effect.gen(function* () {
      for (let pass = 0; hasAsked || (unasked.size > 0 && pass < mostPassesOfAsking); pass++) {
        const seen = yield* look(bearers)
        if (verdictOf(seen) !== undefined) return
        const late = seen.marked.filter(({ pid }) => unasked.has(String(pid)))
        hasAsked = ask(late, group) || hasAsked
        unasked = new Set([...unasked].filter((pid) => seen.changing.has(pid)))
        yield* Effect.sleep(pauseMillis)
      }
    })
  })

/** Whether anything was there to be asked. */
const ask = (targets: ReadonlyArray<ProcessSignal.Target>, group: number): boolean => {
  const outside = targets.filter(({ pid }) => ProcessTable.look(pid)?.group !== group)
  for (const target of outside) ProcessSignal.send(target, "SIGTERM")
  return outside.length > 0
}

/** The same as `end`, for the last moment of this process: without waiting. */
export const endNow = (all: ReadonlyArray<Bearers>): void => {
  const ids = new Set(all.map(({ id }) => id))
  const verdictOf = judge()
  for (let pass = 0; ids.size > 0 && pass < maxPasses; pass++) {
    if (verdictOf(within(Marked.lookNow(ids, kill), earliest(all))) !== undefined) return
  }
}

const kill: MarkPass.Found = (target) => void ProcessSignal.send(target, "SIGKILL")

const look = ({ id, since }: Bearers, found?: MarkPass.Found): Effect.Effect<MarkPass.Seen> =>
  Effect.map(Marked.look(id, found), (seen) => within(seen, since))

const earliest = (all: ReadonlyArray<Bearers>): string | undefined => {
  const starts = all.map(({ since }) => Number(since))
  return starts.every(Number.isFinite) ? String(Math.min(...starts)) : undefined
}

/** Without what cannot bear the mark. */
const within = (seen: MarkPass.Seen, since: string | undefined): MarkPass.Seen =>
  since === undefined
    ? seen
    : { ...seen, ended: youngOf(seen.ended, since), changing: youngOf(seen.changing, since) }

const youngOf = (numbers: MarkPass.Numbers, since: string): MarkPass.Numbers =>
  new Map([...numbers].filter(([, start]) => start === undefined || Number(start) >= Number(since)))

const maxPasses = 100
const hastyPasses = 10
const hastyMillis = 2
const pauseMillis = 20
/** Where processes come and go all the time, no pass is like the one before. */
const enoughQuietPasses = 5
/** Then the system does not get on with it, such as with a program from a disk that has gone. */
const mostPassesOfChange = 30
/** What is late to be asked is ended unasked. */
const mostPassesOfAsking = 5

/**
 * Whether a pass was the last, given those before it: it found nothing, and missed nothing. Where it cannot tell that,
 * all that had ended then has to have ended in the pass before, and so started nothing meanwhile which this pass would
 * not have seen; or enough passes have found nothing, between which a family can slip through whose members end as soon
 * as they have started the next. What is becoming another program may bear the mark, and is waited for.
 */
const judge = () => {
  let endedBefore: MarkPass.Numbers = new Map()
  let changes: ReadonlyMap<string, number> = new Map()
  let quietPasses = 0
  return ({
    changing,
    ended,
    hasFailed,
    isComplete,
    marked
  }: MarkPass.Seen): Exclude<End, "left"> | undefined => {
    quietPasses = marked.length === 0 && !hasFailed ? quietPasses + 1 : 0
    changes = new Map([...changing.keys()].map((pid) => [pid, (changes.get(pid) ?? 0) + 1]))
    const hasEndedBefore = [...ended.keys()].every((pid) => endedBefore.has(pid))
    endedBefore = ended
    if (quietPasses === 0) return undefined
    const passes = [...changes.values()]
    const awaited = passes.filter((count) => count < mostPassesOfChange)
    const isEnough = quietPasses >= enoughQuietPasses
    const isSettled = awaited.length === 0 && (isComplete || hasEndedBefore)
    if (!isSettled && !(isEnough && awaited.every((count) => count === 1))) return undefined
    return passes.length === awaited.length ? "gone" : "unsure"
  }
}
