/**
 * The requests that are running: start, cancel, drain. This is the only place that forks request fibers.
 * Each start settles exactly once, and a key is free again when its fiber, finalizers included, has ended.
 */
import {
  InternalError,
  RequestInFlight,
  ShuttingDown,
  TooManyRequests
} from "@pushbutton/protocol/ProtocolError"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as FiberRef from "effect/FiberRef"
import * as FiberRefs from "effect/FiberRefs"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import * as Scheduler from "effect/Scheduler"
import type * as Scope from "effect/Scope"
import type { Call, Fork, Outlet, Reply } from "./Decision.js"
import { type Gate, GatedOutlet } from "./internal/gatedOutlet.js"
import * as OwnServices from "./internal/ownServices.js"
import { RandomBytes } from "./RandomBytes.js"

export interface Limits {
  /** Requests that may run at a time; 5,000 when left out. */
  readonly max?: number | undefined
  /** The same for one owner; 1,000 when left out. */
  readonly maxPerOwner?: number | undefined
}

export interface InFlight<Key> {
  /**
   * Runs a call, in its own fiber unless it has its reply at once. `settle` is called once, perhaps before this
   * returns: with the reply, or with undefined when the client cancelled and nothing must be sent. A key that is in
   * flight already, and a request beyond the limits, settles at once with an error; those that run go on. `owner` is
   * whose requests count together; without one a request counts among all only. What the request notifies once it was
   * cancelled or has ended goes nowhere. A `settle` that throws ends nothing but this call; the defect is logged.
   */
  readonly start: (
    key: Key,
    call: Call,
    outlet: Outlet,
    settle: (reply: Reply | undefined) => void,
    owner?: object
  ) => void
  /** Interrupts a request; it settles with undefined when its finalizers have run. False: no such request. */
  readonly cancel: (key: Key) => boolean
  readonly has: (key: Key) => boolean
  readonly size: () => number
  /**
   * Waits for the running requests up to the grace period, then interrupts the rest, which settle with an error
   * that says so, and waits for their finalizers. Interrupting a drain goes straight to the second step.
   */
  readonly drain: (grace: Duration.DurationInput) => Effect.Effect<void>
}

interface Entry {
  readonly fiber: Fiber.RuntimeFiber<Reply>
  readonly gate: Gate
  readonly owner: object | undefined
}

/** Requests started here are interrupted when the scope closes. */
export const make = <Key>({
  max = 5_000,
  maxPerOwner = 1_000
}: Limits = {}): Effect.Effect<InFlight<Key>, never, Scope.Scope | RandomBytes> =>
  Effect.gen(function* () {
    const base = yield* Effect.runtime<Scope.Scope | RandomBytes>()
    // Handlers have their services from where they were registered; what else is here belongs to the transport.
    const services = Context.make(RandomBytes, Context.get(base.context, RandomBytes))
    const fiberRefs = letInputIn(base.fiberRefs)
    // Layers may be built where nothing can be interrupted; requests always can.
    const interruptible = RuntimeFlags.enable(base.runtimeFlags, RuntimeFlags.Interruption)
    const masked = RuntimeFlags.disable(base.runtimeFlags, RuntimeFlags.Interruption)
    const entries = new Map<Key, Entry>()
    const owned = new Map<object, number>()
    let idle: Array<Deferred.Deferred<void>> = []

    // Those of a handler are the same with each request.
    const merged = new WeakMap<object, ReadonlyMap<string, unknown>>()
    const mergedWith = <R>(others: Context.Context<R>): ReadonlyMap<string, unknown> => {
      const known = merged.get(others)
      if (known !== undefined) return known
      const all = Context.merge(services, others).unsafeMap
      merged.set(others, all)
      return all
    }

    const fork: Fork = (effect, others, own) => {
      const context = OwnServices.over(mergedWith(others), own)
      const runtimeFlags = own === undefined ? interruptible : masked
      return Runtime.runFork(Runtime.make({ context, fiberRefs, runtimeFlags }), effect)
    }

    const count = (owner: object | undefined, change: 1 | -1) => {
      if (owner === undefined) return
      const next = (owned.get(owner) ?? 0) + change
      if (next === 0) owned.delete(owner)
      else owned.set(owner, next)
    }

    const exceeded = (owner: object | undefined): number | undefined => {
      if (entries.size >= max) return max
      const own = owner === undefined ? 0 : (owned.get(owner) ?? 0)
      return own >= maxPerOwner ? maxPerOwner : undefined
    }

    const ended = (key: Key, { owner }: Entry) => {
      entries.delete(key)
      count(owner, -1)
      if (entries.size > 0) return
      for (const waiting of idle) Deferred.unsafeDone(waiting, Effect.void)
      idle = []
    }

    const start: InFlight<Key>["start"] = (key, call, outlet, onSettled, owner) => {
      // It is called by the fiber that ends, where a defect would end the process.
      const settle = (reply: Reply | undefined) => {
        try {
          onSettled(reply)
        } catch (defect) {
          report("The end of a request could not be told", Cause.die(defect))
        }
      }
      if (entries.has(key)) return settle(call.refuse(new RequestInFlight({ id: call.id })))
      const limit = exceeded(owner)
      if (limit !== undefined) return settle(call.refuse(new TooManyRequests({ limit })))
      const gate: Gate = { state: "open" }
      const settled = (exit: Exit.Exit<Reply>) => {
        if (exit._tag === "Failure" && !Cause.isInterruptedOnly(exit.cause))
          report("A request died", exit.cause)
        const reply = replyOf(exit, call, gate)
        gate.state = "ended"
        settle(reply)
      }
      const fiber = begin(call, new GatedOutlet(outlet, gate))
      if (fiber === undefined) return settle(call.refuse(new InternalError()))
      if (!Fiber.isFiber(fiber)) return settle(fiber)
      const done = fiber.unsafePoll()
      if (done !== null) return settled(done)
      const entry: Entry = { fiber, gate, owner }
      entries.set(key, entry)
      count(owner, 1)
      fiber.addObserver((exit) => {
        ended(key, entry)
        settled(exit)
      })
    }

    const report = (what: string, cause: Cause.Cause<unknown>) =>
      void fork(Effect.as(Effect.logError(what, cause), nothing), Context.empty())

    /** Undefined when the author's code threw before there was an effect. */
    const begin = (call: Call, outlet: Outlet) => {
      try {
        return call.start(outlet, fork)
      } catch (defect) {
        report("A request died", Cause.die(defect))
        return undefined
      }
    }

    const interruptAll = Effect.suspend(() =>
      Fiber.interruptAll(Array.from(entries.values(), (entry) => entry.fiber))
    )

    const whenIdle = Effect.suspend(() => {
      if (entries.size === 0) return Effect.void
      const waiting = Deferred.unsafeMake<void>(FiberId.none)
      idle.push(waiting)
      return Deferred.await(waiting)
    })

    yield* Effect.addFinalizer(() => interruptAll)

    return {
      start,
      cancel: (key) => {
        const entry = entries.get(key)
        if (entry === undefined) return false
        entry.gate.state = "cancelled"
        entry.fiber.unsafeInterruptAsFork(FiberId.none)
        return true
      },
      has: (key) => entries.has(key),
      size: () => entries.size,
      // Finalizers drain, and a finalizer cannot be interrupted: without this the wait would outlast the grace.
      drain: (grace) =>
        Effect.ensuring(Effect.timeoutOption(Effect.interruptible(whenIdle), grace), interruptAll)
    }
  })

const nothing: Reply = { status: 500, text: "" }

const replyOf = (exit: Exit.Exit<Reply>, call: Call, gate: Gate): Reply | undefined => {
  if (gate.state === "cancelled") return undefined
  if (exit._tag === "Success") return exit.value
  return call.refuse(Cause.isInterruptedOnly(exit.cause) ? new ShuttingDown() : new InternalError())
}

/**
 * How often a busy handler may yield before the event loop gets its turn: cancels and other peers are read then.
 * Effect's own scheduler lets millions of operations pass.
 */
const yieldsBeforeInput = 16

/** A program that has chosen a scheduler of its own keeps it. */
const letInputIn = (refs: FiberRefs.FiberRefs): FiberRefs.FiberRefs =>
  FiberRefs.getOrDefault(refs, FiberRef.currentScheduler) === Scheduler.defaultScheduler
    ? FiberRefs.updateAs(refs, {
        fiberId: FiberId.none,
        fiberRef: FiberRef.currentScheduler,
        value: scheduler
      })
    : refs

const scheduler = new Scheduler.MixedScheduler(yieldsBeforeInput)
