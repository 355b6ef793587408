/**
 * Process groups of presses. Every press that may still have a process is in one set, and however this process ends,
 * SIGKILL aside, those groups are killed first, and what has left them and bears the mark of its press.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Leaders from "./leaders.js"
import * as NodeError from "./nodeError.js"
import * as PressMark from "./pressMark.js"
import * as ProcessSignal from "./processSignal.js"
import * as ProcessTable from "./processTable.js"

export interface ProcessGroup {
  readonly id: number
  /** When its leader started; undefined where nobody says. */
  readonly start: string | undefined
  /** Ignored once the group was seen empty: its id may belong to a stranger by then. */
  readonly signal: (signal: NodeJS.Signals) => void
  readonly isEmpty: () => boolean
  /** Completes when nothing in the group runs any more. Polls: the system reports only our own child. */
  readonly empty: Effect.Effect<void>
  /** Nothing of the press is left, in the group or out of it: the end of this process need not see to it. */
  readonly release: () => void
  /**
   * The group is signalled no more, not even by the end of this process, which sees to what bears the mark. For a group
   * that withstands: nobody would notice when it ends, and its id goes to a stranger.
   */
  readonly keepMark: () => void
}

interface Entry {
  readonly id: number
  readonly start: string | undefined
  readonly mark: string
  /** No longer signalled: it was seen empty, or is no longer watched. */
  wasEmpty: boolean
}

const live = new Set<Entry>()

/**
 * Starts a child that leads a group and bears the mark, and watches over both until they are released. No signal can
 * end this process between the two. There is no group when the child did not start.
 */
export const start = <Child extends { readonly pid?: number | undefined }>(
  mark: string,
  spawn: () => Child
): { readonly child: Child; readonly group: ProcessGroup | undefined } => {
  hook()
  try {
    const child = spawn()
    return { child, group: child.pid === undefined ? undefined : watch(child.pid, mark) }
  } finally {
    unhookIfIdle()
  }
}

/** Lets what listens for the end of this process listen on after the first child, until the scope closes. */
export const keepListening: Effect.Effect<void, never, Scope.Scope> = Effect.asVoid(
  Effect.acquireRelease(
    Effect.sync(() => keepers++),
    () =>
      Effect.sync(() => {
        keepers--
        unhookIfIdle()
      })
  )
)

let keepers = 0

const watch = (leader: number, mark: string): ProcessGroup => {
  if (!isGroupId(leader)) throw new RangeError(`not a process group: ${leader}`)
  const entry: Entry = { id: leader, start: ProcessTable.look(leader)?.start, mark, wasEmpty: false }
  live.add(entry)
  Leaders.note(leader)
  return {
    id: entry.id,
    start: entry.start,
    signal: (signal) => {
      if (!entry.wasEmpty) entry.wasEmpty = !send(entry.id, signal)
    },
    isEmpty: () => isEmpty(entry),
    empty: Effect.suspend(() => whenEmpty(entry)),
    release: () => {
      if (live.delete(entry)) unhookIfIdle()
    },
    keepMark: () => {
      entry.wasEmpty = true
    }
  }
}

const isEmpty = (entry: Entry): boolean => {
  if (!entry.wasEmpty) entry.wasEmpty = !send(entry.id, 0)
  return entry.wasEmpty
}

const pollMillis = 10

const whenEmpty = Effect.fnUntraced(function* (entry: Entry) {
  // Reading the process table is dear, and rarely tells more.
  let nextTablePoll = 8
  for (let poll = 1; !isEmpty(entry); poll++) {
    yield* Effect.sleep(pollMillis)
    if (poll < nextTablePoll) continue
    nextTablePoll *= 2
    // Where nobody collects orphans, as under a server that is process 1, the dead stay in the group.
    if (ProcessTable.isGroupDead(entry.id)) entry.wasEmpty = true
  }
})

/** Signalling group 0 would reach our own group, and group 1 every process there is. */
export const isGroupId = (id: number): boolean =>
  ProcessSignal.isPid(id) && id !== process.pid && id !== ownGroup()

let knownGroup: number | undefined

/** Nobody else can move a process to another group once its program runs, and Node has no way to. */
const ownGroup = (): number | undefined => {
  knownGroup ??= ProcessTable.look(process.pid)?.group
  return knownGroup
}

/** False when the group does not exist. What may not be signalled is taken to exist. */
const send = (id: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(-id, signal)
  } catch (error) {
    return NodeError.code(error) !== "ESRCH"
  }
}

const killAll = (): void => {
  for (const { id, wasEmpty } of live) if (!wasEmpty) send(id, "SIGKILL")
  PressMark.endNow([...live].map(({ mark, start }) => ({ id: mark, since: start })))
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

let hooked = false

const hook = (): void => {
  if (hooked) return
  hooked = true
  process.on("exit", killAll)
  // First, because a listener that removes itself as it runs would otherwise not be counted.
  for (const signal of fatal) process.prependListener(signal, onFatal)
}

const unhookIfIdle = (): void => {
  if (hooked && live.size === 0 && keepers === 0) unhook()
}

const unhook = (): void => {
  hooked = false
  process.off("exit", killAll)
  for (const signal of fatal) process.off(signal, onFatal)
}
