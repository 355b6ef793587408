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

/**
 * Kills whatever bears the mark until nothing does. False when something withstood for two seconds, or nobody could look.
 */
export const end = (id: string): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const isOver = judge()
    for (let pass = 0; pass < maxPasses; pass++) {
      const seen = yield* Marked.look(id)
      if (isOver(seen)) return true
      for (const target of seen.marked) ProcessSignal.send(target, "SIGKILL")
      yield* Effect.sleep(pass < hastyPasses ? hastyMillis : pauseMillis)
    }
    return false
  })

/**
 * Asks what bears the mark to end, outside of the group, which is asked as one; completes when nothing bears it any more,
 * if anything was to be asked. What is started from then on is not: it may be what the others clean up with.
 */
export const askToEnd = (id: string, group: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    const isOver = judge()
    let seen = yield* Marked.look(id)
    let unasked = seen.changing
    if (!ask(seen.marked, group) && unasked.size === 0) return
    while (!isOver(seen)) {
      yield* Effect.sleep(pauseMillis)
      seen = yield* Marked.look(id)
      const { changing, marked } = seen
      ask(
        marked.filter(({ pid }) => unasked.has(String(pid))),
        group
      )
      unasked = new Set([...unasked].filter((pid) => changing.has(pid)))
    }
  })

/** Whether anything was there to be asked. */
const ask = (targets: ReadonlyArray<ProcessSignal.Target>, group: number): boolean => {
  const outside = targets.filter(({ pid }) => ProcessTable.look(pid)?.group !== group)
  for (const target of outside) ProcessSignal.send(target, "SIGTERM")
  return outside.length > 0
}

/** The same as `end`, for the last moment of this process: without waiting. */
export const endNow = (ids: ReadonlySet<string>): void => {
  const isOver = judge()
  for (let pass = 0; ids.size > 0 && pass < maxPasses; pass++) {
    const seen = Marked.lookNow(ids)
    if (isOver(seen)) return
    for (const target of seen.marked) ProcessSignal.send(target, "SIGKILL")
  }
}

const maxPasses = 100
const hastyPasses = 10
const hastyMillis = 2
const pauseMillis = 20
/** Where processes come and go all the time, no pass is like the one before. */
const enoughQuietPasses = 5

/**
 * Whether a pass was the last, given those before it. It was when it found nothing, and whatever had ended then was seen
 * to have ended in the pass before: that started nothing meanwhile which this pass would not have seen. What is becoming
 * another program may bear the mark, and is waited for.
 */
const judge = () => {
  let before: Pick<Marked.Seen, "changing" | "ended"> = { ended: new Set(), changing: new Set() }
  let quietPasses = 0
  return ({ changing, ended, hasFailed, marked }: Marked.Seen): boolean => {
    quietPasses = marked.length === 0 && !hasFailed ? quietPasses + 1 : 0
    const isSettled = changing.size === 0 && isWithin(ended, before.ended)
    const isStuck = [...changing].some((pid) => before.changing.has(pid))
    before = { ended, changing }
    return quietPasses > 0 && (isSettled || (quietPasses >= enoughQuietPasses && !isStuck))
  }
}

const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  [...some].every((item) => all.has(item))
