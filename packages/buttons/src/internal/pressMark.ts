/**
 * Presses mark what they start, in its environment, with a value that nobody can guess. Whatever leaves the process
 * group of its press (`setsid`, `setpgid`, the jobs of a shell under `set -m`) keeps the mark, and is found by it where
 * /proc shows environments. A process that gives up its environment is not.
 */
import * as Effect from "effect/Effect"
import * as BornSince from "./bornSince.js"
import * as Leaders from "./leaders.js"
import * as Marked from "./markedProcesses.js"
import * as ProcessSignal from "./processSignal.js"
import * as ProcessTable from "./processTable.js"
import * as RandomId from "./randomId.js"

export const { variable } = Marked

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
  return { id, value: isNested ? `${outer}${Marked.separator}${id}` : id }
}

export const isId: (text: string) => boolean = Marked.isId

/** Whether it is certain that nothing bears the mark any more; cheap, and asked of a leader that has just ended. */
export const isUnborne = (id: string, leader: number, ageMillis: number): boolean => {
  const isStranger = Marked.isStranger(id)
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

/**
 * Kills whatever bears the mark until nothing does. False when something withstood for two seconds, or nobody could look.
 */
export const end = (bearers: Bearers): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const isOver = judge()
    for (let pass = 0; pass < maxPasses; pass++) {
      const seen = yield* look(bearers)
      if (isOver(seen)) return true
      for (const target of seen.marked) ProcessSignal.send(target, "SIGKILL")
      yield* Effect.sleep(pass < hastyPasses ? hastyMillis : pauseMillis)
    }
    return false
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
    const isOver = judge()
    return Effect.gen(function* () {
      while (hasAsked || unasked.size > 0) {
        const seen = yield* look(bearers)
        if (isOver(seen)) return
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
  const isOver = judge()
  for (let pass = 0; ids.size > 0 && pass < maxPasses; pass++) {
    const seen = within(Marked.lookNow(ids), earliest(all))
    if (isOver(seen)) return
    for (const target of seen.marked) ProcessSignal.send(target, "SIGKILL")
  }
}

const look = ({ id, since }: Bearers): Effect.Effect<Marked.Seen> =>
  Effect.map(Marked.look(id), (seen) => within(seen, since))

const earliest = (all: ReadonlyArray<Bearers>): string | undefined => {
  const starts = all.map(({ since }) => Number(since))
  return starts.every(Number.isFinite) ? String(Math.min(...starts)) : undefined
}

const within = (seen: Marked.Seen, since: string | undefined): Marked.Seen =>
  since === undefined
    ? seen
    : { ...seen, ended: youngOf(seen.ended, since), changing: youngOf(seen.changing, since) }

const youngOf = (numbers: Marked.Numbers, since: string): Marked.Numbers =>
  new Map([...numbers].filter(([, start]) => start === undefined || Number(start) >= Number(since)))

const maxPasses = 100
const hastyPasses = 10
const hastyMillis = 2
const pauseMillis = 20
/** Where processes come and go all the time, no pass is like the one before. */
const enoughQuietPasses = 5
/** Then the system does not get on with it, such as with a program from a disk that has gone. */
const mostPassesOfChange = 30

/**
 * Whether a pass was the last, given those before it. It was when it found nothing, and whatever had ended then was seen
 * to have ended in the pass before: that started nothing meanwhile which this pass would not have seen. What is becoming
 * another program may bear the mark, and is waited for. A family whose every member ends as soon as it has started the
 * next can slip through where all passes meet it between two.
 */
const judge = () => {
  let endedBefore: Marked.Numbers = new Map()
  let changes: ReadonlyMap<string, number> = new Map()
  let quietPasses = 0
  return ({ changing, ended, hasFailed, marked }: Marked.Seen): boolean => {
    quietPasses = marked.length === 0 && !hasFailed ? quietPasses + 1 : 0
    changes = new Map([...changing.keys()].map((pid) => [pid, (changes.get(pid) ?? 0) + 1]))
    const awaited = [...changes.values()].filter((passes) => passes < mostPassesOfChange)
    const isSettled = awaited.length === 0 && [...ended.keys()].every((pid) => endedBefore.has(pid))
    const isEnough = quietPasses >= enoughQuietPasses && awaited.every((passes) => passes === 1)
    endedBefore = ended
    return quietPasses > 0 && (isSettled || isEnough)
  }
}
