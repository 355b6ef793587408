/**
 * The only place that signals a process which is not our child. A wrong number would reach a stranger, and some numbers
 * everybody: whatever is not known for certain is not signalled.
 */
import * as ProcessTable from "./processTable.js"

/** A process as it was found: its number, and when it started. */
export interface Target {
  readonly pid: number
  readonly start: string
}

/** 0 and 1, and everything below, mean whole groups and whole systems. */
export const isPid = (id: number): boolean => Number.isSafeInteger(id) && id > 1

/** False when nothing was signalled. */
export const send = (target: Target, signal: "SIGTERM" | "SIGKILL"): boolean =>
  asOther(target) !== undefined && kill(target.pid, signal)

/** Signals the group that the target still leads. */
export const sendToGroup = (target: Target, signal: "SIGKILL"): boolean =>
  asOther(target)?.group === target.pid && kill(-target.pid, signal)

/** What the table says of the target, when it is still the same process, and neither we nor of our group. */
const asOther = ({ pid, start }: Target): ProcessTable.Facts | undefined => {
  if (!isPid(pid) || pid === process.pid || pid === process.ppid) return undefined
  const own = ProcessTable.look(process.pid)
  const facts = ProcessTable.look(pid)
  if (own === undefined || facts === undefined || start === "") return undefined
  return facts.start === start && facts.group !== own.group ? facts : undefined
}

const kill = (id: number, signal: NodeJS.Signals): boolean => {
  try {
    return process.kill(id, signal)
  } catch {
    return false
  }
}
