/**
 * Process groups of presses. Every group that may still have a process in it is in one set, and however this process
 * ends, SIGKILL aside, those groups are killed first. What starts its own session or group, as the jobs of a shell under
 * `set -m` do, has left it.
 */
import * as Effect from "effect/Effect"
import * as NodeError from "./nodeError.js"
import * as ProcessTable from "./processTable.js"

export interface ProcessGroup {
  readonly id: number
  /** Ignored once the group was seen empty: its id may belong to a stranger by then. */
  readonly signal: (signal: NodeJS.Signals) => void
  readonly isEmpty: () => boolean
  /** Completes when nothing in the group runs any more. Polls: the system reports only our own child. */
  readonly empty: Effect.Effect<void>
}

interface Entry {
  readonly id: number
}

const live = new Set<Entry>()

/**
 * Starts a child that leads a group, and watches over the group until it is seen empty. No signal can end this process
 * between the two. There is no group when the child did not start.
 */
export const start = <Child extends { readonly pid?: number | undefined }>(
  spawn: () => Child
): { readonly child: Child; readonly group: ProcessGroup | undefined } => {
  hook()
  try {
    const child = spawn()
    return { child, group: child.pid === undefined ? undefined : watch(child.pid) }
  } finally {
    if (live.size === 0) unhook()
  }
}

const watch = (leader: number): ProcessGroup => {
  if (!isGroupId(leader)) throw new RangeError(`not a process group: ${leader}`)
  const entry: Entry = { id: leader }
  live.add(entry)
  return {
    id: entry.id,
    signal: (signal) => {
      if (live.has(entry) && !send(entry.id, signal)) remove(entry)
    },
    isEmpty: () => isEmpty(entry),
    empty: Effect.suspend(() => whenEmpty(entry))
  }
}

const isEmpty = (entry: Entry): boolean => {
  if (live.has(entry) && !send(entry.id, 0)) remove(entry)
  return !live.has(entry)
}

const pollMillis = 10
/** Reading the process table is dear: one poll in this many. */
const tablePolls = 10

const whenEmpty = Effect.fnUntraced(function* (entry: Entry) {
  for (let poll = 1; !isEmpty(entry); poll++) {
    yield* Effect.sleep(pollMillis)
    // Where nobody collects orphans, as under a server that is process 1, the dead stay in the group.
    if (poll % tablePolls === 0 && (yield* Effect.promise(() => ProcessTable.isGroupDead(entry.id)))) {
      return remove(entry)
    }
  }
})

/** Signalling group 0 would reach our own group, and group 1 every process there is. */
export const isGroupId = (id: number): boolean => Number.isSafeInteger(id) && id > 1

/** False when the group does not exist. What may not be signalled is taken to exist. */
const send = (id: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(-id, signal)
  } catch (error) {
    return NodeError.code(error) !== "ESRCH"
  }
}

const killAll = (): void => {
  for (const { id } of live) send(id, "SIGKILL")
  live.clear()
}

/** Signals that end a process without its `exit` event when nothing listens for them. */
const fatal = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"] as const

const onFatal = (signal: NodeJS.Signals): void => {
  // Someone else listens and decides how to end; if that is by exiting, `exit` comes.
  if (process.listenerCount(signal) > 1) return
  killAll()
  unhook()
  process.kill(process.pid, signal)
}

const remove = (entry: Entry): void => {
  if (live.delete(entry) && live.size === 0) unhook()
}

let hooked = false

const hook = (): void => {
  if (hooked) return
  hooked = true
  process.on("exit", killAll)
  // First, because a listener that removes itself as it runs would otherwise not be counted.
  for (const signal of fatal) process.prependListener(signal, onFatal)
}

const unhook = (): void => {
  hooked = false
  process.off("exit", killAll)
  for (const signal of fatal) process.off(signal, onFatal)
}
