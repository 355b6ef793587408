/**
 * Processes that were started after another one, by their numbers: Linux gives them out one after the other, to threads
 * too, and tells the last. So a press that has started nothing is known without a look at every process there is.
 */
import { Buffer } from "node:buffer"
import * as Fs from "node:fs"
import * as ProcessTable from "./processTable.js"

/** Longer, and the numbers might have gone round. */
export const maxAgeMillis = 100
/** More are not looked at one by one. */
const maxLooks = 64
/** How often new ones may come up while we look. */
const maxRounds = 4

/**
 * Whether nothing runs that a process of this number has started, itself or by others; false when something does, and
 * when it cannot be told. To be asked when that process has ended, and not later than `maxAgeMillis` after its start.
 * `isStranger` says of a number that no process of the press has it now.
 *
 * Whoever is missed was started after we had looked at its number, by one that ended before we had looked at that: then
 * its number is above the last one, and the next round looks at it.
 */
export const isNothingLeft = (
  leader: number,
  isStranger: (pid: number) => boolean,
  last: () => number | undefined = lastNumber
): boolean => {
  let seen = leader
  for (let round = 0; round < maxRounds; round++) {
    const newest = last()
    if (newest === undefined || newest < seen || newest - leader > maxLooks) return false
    if (newest === seen) return true
    for (let pid = seen + 1; pid <= newest; pid++) if (!isStranger(pid)) return false
    seen = newest
  }
  return false
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
