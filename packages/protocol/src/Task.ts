/**
 * The Tasks extension of 2026-07-28: a call whose answer is fetched later. What a task is, and how it may change. The
 * handshake revision 2025-11-25 has tasks of another shape, which are not these.
 */
import * as Capabilities from "./Capabilities.js"
import * as InputRequired from "./InputRequired.js"
import type { JsonObject } from "./Json.js"
import type { ErrorObject } from "./JsonRpc.js"
import { TaskInterrupted, toErrorObject } from "./ProtocolError.js"

/** What a task has whatever its state. Times are milliseconds of the epoch. */
export interface Facts {
  readonly taskId: string
  readonly createdAt: number
  readonly lastUpdatedAt: number
  /** Counted from `createdAt`; null for ever. */
  readonly ttlMs: number | null
  readonly pollIntervalMs?: number
  readonly statusMessage?: string
  /** Every key under which the task has ever asked: none is used twice (2026-07-28, tasks: MUST). */
  readonly issued: ReadonlyArray<string>
}

export type State =
  | { readonly status: "working" }
  /** The questions that are open, as they are sent. */
  | { readonly status: "input_required"; readonly inputRequests: JsonObject }
  /** The result as the request would have got it at once. */
  | { readonly status: "completed"; readonly result: JsonObject }
  | { readonly status: "failed"; readonly error: ErrorObject }
  | { readonly status: "cancelled" }

export type Status = State["status"]

export type Task = Facts & State

export type Event =
  /** New questions by key. */
  | { readonly _tag: "Asked"; readonly requests: JsonObject }
  /** Questions that are answered or withdrawn. */
  | { readonly _tag: "Closed"; readonly keys: ReadonlyArray<string> }
  | { readonly _tag: "Told"; readonly message: string }
  | { readonly _tag: "Completed"; readonly result: JsonObject }
  | { readonly _tag: "Failed"; readonly error: ErrorObject }
  | { readonly _tag: "Cancelled"; readonly message?: string }

/** Where an event may lead from each status. What is not here does not happen. */
export const transitions: Readonly<
  Record<Status, Readonly<Partial<Record<Event["_tag"], ReadonlyArray<Status>>>>>
> = {
  working: {
    Asked: ["input_required"],
    Told: ["working"],
    Completed: ["completed"],
    Failed: ["failed"],
    Cancelled: ["cancelled"]
  },
  input_required: {
    Asked: ["input_required"],
    Closed: ["input_required", "working"],
    Told: ["input_required"],
    Completed: ["completed"],
    Failed: ["failed"],
    Cancelled: ["cancelled"]
  },
  completed: {},
  failed: {},
  cancelled: {}
}

export const isTerminal = ({ status }: { readonly status: Status }): boolean =>
  Object.keys(transitions[status]).length === 0

/** The open questions by key. */
export const openRequests = (task: Task): JsonObject =>
  task.status === "input_required" ? task.inputRequests : noRequests

const noRequests: JsonObject = Object.freeze({})

/**
 * The task after an event. An event that the table does not have, or that changes nothing, gives the same task. Of
 * the questions asked, one whose key was used before is dropped.
 */
export const step = (task: Task, event: Event, now: number): Task => {
  const allowed = transitions[task.status][event._tag]
  if (allowed === undefined) return task
  const state = stateAfter(task, event)
  if (state === undefined || !allowed.includes(state.status)) return task
  const { statusMessage, ...facts } = factsOf(task)
  return {
    ...facts,
    // What was told of the work says nothing of its end.
    ...(isTerminal(state) || statusMessage === undefined ? {} : { statusMessage }),
    ...state,
    // A clock may be set back; a task does not get younger.
    lastUpdatedAt: Math.max(now, task.lastUpdatedAt)
  }
}

type Change = State & { readonly issued?: ReadonlyArray<string>; readonly statusMessage?: string }

/** Undefined when nothing changes. */
const stateAfter = (task: Task, event: Event): Change | undefined => {
  switch (event._tag) {
    case "Asked": {
      const added = Object.entries(event.requests).filter(([key]) => !task.issued.includes(key))
      if (added.length === 0) return undefined
      return {
        status: "input_required",
        inputRequests: Object.fromEntries([...Object.entries(openRequests(task)), ...added]),
        issued: [...task.issued, ...added.map(([key]) => key)]
      }
    }
    case "Closed": {
      const open = Object.entries(openRequests(task))
      const left = open.filter(([key]) => !event.keys.includes(key))
      if (left.length === open.length) return undefined
      return left.length === 0
        ? { status: "working" }
        : { status: "input_required", inputRequests: Object.fromEntries(left) }
    }
    case "Told":
      return event.message === task.statusMessage
        ? undefined
        : { ...stateOf(task), statusMessage: event.message }
    case "Completed":
      return { status: "completed", result: event.result }
    case "Failed":
      return { status: "failed", error: event.error, statusMessage: event.error.message }
    case "Cancelled":
      return { status: "cancelled", ...(event.message === undefined ? {} : { statusMessage: event.message }) }
  }
}

/** The error of a task whose work was ended before its end. */
export const interrupted = (detail: string): ErrorObject =>
  toErrorObject(new TaskInterrupted({ detail }), "modern")

/** The first of `key`, `key-2`, `key-3`, … under which the task has not asked. */
export const freshKey = ({ issued }: Task, key: string): string => {
  let fresh = key
  for (let count = 2; issued.includes(fresh); count++) fresh = `${key}-${count}`
  return fresh
}

const factsOf = (task: Task): Facts => ({
  taskId: task.taskId,
  createdAt: task.createdAt,
  lastUpdatedAt: task.lastUpdatedAt,
  ttlMs: task.ttlMs,
  ...(task.pollIntervalMs === undefined ? {} : { pollIntervalMs: task.pollIntervalMs }),
  ...(task.statusMessage === undefined ? {} : { statusMessage: task.statusMessage }),
  issued: task.issued
})

const stateOf = (task: Task): State => {
  switch (task.status) {
    case "working":
      return { status: "working" }
    case "input_required":
      return { status: "input_required", inputRequests: task.inputRequests }
    case "completed":
      return { status: "completed", result: task.result }
    case "failed":
      return { status: "failed", error: task.error }
    case "cancelled":
      return { status: "cancelled" }
  }
}

/** When the task may be forgotten; undefined for never. */
export const expiresAt = ({ createdAt, ttlMs }: Facts): number | undefined =>
  ttlMs === null ? undefined : createdAt + ttlMs

export const isExpired = (task: Facts, now: number): boolean => {
  const until = expiresAt(task)
  return until !== undefined && until <= now
}

/** The task with a time to live that lets it be read until `until`, at least. A promise is never shortened. */
export const keptUntil = (task: Task, until: number): Task =>
  task.ttlMs === null ? task : { ...task, ttlMs: Math.max(task.ttlMs, Math.ceil(until - task.createdAt)) }

/** The client capabilities that the open questions take. */
export const needs = (task: Task): JsonObject =>
  Object.values(openRequests(task)).map(InputRequired.needs).reduce(Capabilities.union, {})
