/**
 * Processes that were started after another one, by their numbers: Linux gives them out one after the other, to threads
 * too, and tells the last. So a press that has started nothing is known without a look at every process there is.
 */
import { Buffer } from "node:buffer"
import * as Fs from "node:fs"
import * as ProcessTable from "./processTable.js"

/** Longer, and the numbers might have gone round. */
export const maxAgeMillis = 100

/** How far to go after numbers, and the one that was given out last. */
export interface Bounds {
  /** More are not looked at one by one. */
  readonly maxLooks: number
  /** How often new ones may come up while we look. */
  readonly maxRounds: number
  readonly last: () => number | undefined
}

/**
 * Looks at every number that was given out after this one, until none was while we looked; pauses now and then. False
 * when a look says so, and when it cannot be told whether all were looked at.
 *
 * Whoever is missed was started after we had looked at its number, by one that ended before we had looked at that: then
 * its number is above the last one, and the next round looks at it.
 */
export function* visit(
  number: number,
  look: (pid: number) => boolean,
  { last, maxLooks, maxRounds }: Bounds
): Generator<void, boolean> {
  let seen = number
  for (let round = 0; round < maxRounds; round++) {
    const newest = last()
    if (newest === undefined || newest < seen || newest - number > maxLooks) return false
    if (newest === seen) return true
    for (let pid = seen + 1; pid <= newest; pid++) {
      if (!look(pid)) return false
      if (pid % slice === 0) yield
    }
    seen = newest
  }
  return false
}

/** Numbers that are looked at in one go. */
const slice = 64

/**
 * Whether nothing runs that a process of this number has started, itself or by others; false when something does, and
 * when it cannot be told. To be asked when that process has ended, and not later than `maxAgeMillis` after its start.
 * `isStranger` says of a number that no process of the press has it now.
 */
export const isNothingLeft = (
  leader: number,
  isStranger: (pid: number) => boolean,
  last: () => number | undefined = lastNumber
): boolean => {
  const visiting = visit(leader, isStranger, { maxLooks: 64, maxRounds: 4, last })
  let step = visiting.next()
  while (!step.done) step = visiting.next()
  return step.value
}

/** The number that was given out last; undefined where nobody tells. */
export const lastNumber = (): number | undefined => {
  try {
    if (!isTrusted()) return undefined
    const number = Number(loadAverages().trim().split(" ")[4])
    return Number.isSafeInteger(number) && number > 0 ? number : undefined
  } catch {
    return undefined
  }
}

const buffer = Buffer.alloc(256)

/** One line, which the system gives in one piece. */
const loadAverages = (): string => {
  const descriptor = Fs.openSync("/proc/loadavg", "r")
  try {
    return buffer.toString("latin1", 0, Fs.readSync(descriptor, buffer, 0, buffer.length, 0))
  } finally {
    Fs.closeSync(descriptor)
  }
}

let trusted: boolean | undefined

/** Some containers put a file of their own in this place, which tells numbers of another space, and late. */
const isTrusted = (): boolean => {
  trusted ??=
    ProcessTable.isKnown() && Fs.statSync("/proc/loadavg").dev === Fs.statSync("/proc/self/stat").dev
  return trusted
}
