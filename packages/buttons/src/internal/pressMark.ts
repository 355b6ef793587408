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
 * Asks what bears the mark to end, outside of the group, which is asked as one. Gives an effect that completes when
 * nothing bears it any more, if anything was asked.
 */
export const askToEnd = (id: string, group: number): Effect.Effect<Effect.Effect<void>> =>
  Effect.map(Marked.look(id), ({ marked }) => {
    const outside = marked.filter(({ pid }) => ProcessTable.look(pid)?.group !== group)
    for (const target of outside) ProcessSignal.send(target, "SIGTERM")
    return outside.length === 0 ? Effect.void : unmarked(id)
  })

const unmarked = Effect.fnUntraced(function* (id: string) {
  while ((yield* Marked.look(id)).marked.length > 0) yield* Effect.sleep(pauseMillis)
})

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
/** Where processes come and go all the time, some are always uncertain. */
const enoughQuietPasses = 5

/**
 * Whether a pass was the last, given those before it. It was when it found nothing, and all that was uncertain was so
 * in the pass before: such a process started nothing meanwhile that this pass would not have seen.
 */
const judge = () => {
  let before: ReadonlySet<string> = new Set()
  let quietPasses = 0
  return ({ hasFailed, marked, uncertain }: Marked.Seen): boolean => {
    quietPasses = marked.length === 0 && !hasFailed ? quietPasses + 1 : 0
    const isSettled = [...uncertain].every((pid) => before.has(pid))
    before = uncertain
    return quietPasses >= enoughQuietPasses || (quietPasses > 0 && isSettled)
  }
}
