/** The end of what a press has started: first politely, then by force, and what withstands both is kept in mind. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type * as ChildProcess from "./childProcess.js"
import * as PressMark from "./pressMark.js"

export interface Bounds {
  /** How long a group may take to end after SIGTERM. */
  readonly graceMillis: number
  /** How long the outputs may stay open when the program has ended. */
  readonly drainMillis: number
}

/** Long enough for the system to carry out SIGKILL on anything but a process stuck in the kernel. */
const killMillis = 2_000

/** Leaves nothing of the press running; runs uninterruptibly. What has ended by itself is not waited for. */
export const end = Effect.fnUntraced(function* (
  child: ChildProcess.Child,
  startedAt: bigint,
  { drainMillis, graceMillis }: Bounds,
  scope: Scope.Scope
) {
  const askOthers = child.status() === undefined ? yield* PressMark.toBeAsked(bearersOf(child)) : undefined
  // The number of a group whose leader has ended meanwhile may be that of another one.
  if (askOthers !== undefined && child.status() === undefined) {
    child.group.signal("SIGTERM")
    const unmarked = askOthers(child.group.id)
    const all = [child.exited.wait, child.group.empty, unmarked]
    yield* atMost(graceMillis, Effect.all(all, { concurrency: "unbounded" }))
  } else if (!child.group.isEmpty()) {
    // A last writer, such as a `tee` that the script does not wait for, may finish.
    yield* child.closed.waitAtMost(drainMillis)
  }
  child.group.signal("SIGKILL")
  if (child.status() === undefined || !child.group.isEmpty())
    yield* atMost(killMillis, Effect.zipRight(child.exited.wait, child.group.empty))
  const hasEnded = child.status() !== undefined && child.group.isEmpty()
  const ageMillis = yield* millisSince(startedAt)
  const isUnborne = hasEnded && PressMark.isUnborne(child.mark.id, child.group.id, ageMillis)
  const markEnd = isUnborne ? "gone" : yield* PressMark.end(bearersOf(child))
  if (markEnd === "gone" && child.group.isEmpty()) child.group.release()
  else {
    const isLeft = markEnd === "left" || !child.group.isEmpty()
    if (isLeft) yield* Effect.logWarning("Something of a press withstands SIGKILL")
    child.group.keepMark()
    yield* Effect.forkIn(Effect.interruptible(endLater(child)), scope)
  }
  // What holds a pipe now cannot be found, and is not waited for.
  yield* child.closed.waitAtMost(drainMillis)
  child.destroyPipes()
})

const bearersOf = ({ group, mark }: ChildProcess.Child): PressMark.Bearers => ({
  id: mark.id,
  since: group.start
})

export const millisSince = (startedAt: bigint) =>
  Effect.map(Clock.currentTimeNanos, (now) => Number((now - startedAt) / 1_000_000n))

/** Seldom enough not to be felt. */
const retryMillis = 10_000

/** What cannot be looked at is left to the end of this process, which looks once more. */
const endLater = (child: ChildProcess.Child) =>
  Effect.map(
    Effect.iterate<PressMark.End, never, never>("left", {
      while: (markEnd) => markEnd === "left",
      body: () => Effect.delay(PressMark.end(bearersOf(child)), retryMillis)
    }),
    (markEnd) => {
      if (markEnd === "gone") child.group.release()
    }
  )

/** A daemon, since an interruption reaches the children even of a fiber that is uninterruptible. */
const atMost = (millis: number, effect: Effect.Effect<unknown>): Effect.Effect<unknown> =>
  Effect.flatMap(Effect.forkDaemon(Effect.timeoutOption(Effect.interruptible(effect), millis)), Fiber.await)
