/**
 * The Tasks extension of 2026-07-28: a call whose answer is fetched later. What a task is, how it may change, and
 * the messages about it. The handshake revision 2025-11-25 has tasks of another shape, which are not these.
 */
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import * as Capabilities from "./Capabilities.js"
import * as Dialect from "./dialect/Dialect.js"
import type { Implementation } from "./Implementation.js"
import * as Codec from "./internal/codec.js"
import type { JsonObject, JsonValue } from "./Json.js"
import * as Json from "./Json.js"
import type { ErrorObject } from "./JsonRpc.js"
import { InvalidParams, TaskInterrupted, toErrorObject } from "./ProtocolError.js"
import * as RequestMeta from "./RequestMeta.js"
import type { Notice } from "./Subscription.js"

export const extension = "io.modelcontextprotocol/tasks"

/** What a client declares, with each request, to get tasks. */
export const capability: JsonObject = { extensions: { [extension]: {} } }

export const isDeclared = (clientCapabilities: JsonObject): boolean =>
  Capabilities.missing(capability, clientCapabilities) === undefined

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

/** The task with a time to live that lets it be read until `until`, at least. A promise is never shortened. */
export const keptUntil = (task: Task, until: number): Task =>
  task.ttlMs === null ? task : { ...task, ttlMs: Math.max(task.ttlMs, Math.ceil(until - task.createdAt)) }

/** The client capabilities that the open questions take. */
export const needs = (task: Task): JsonObject => {
  const elicitation: Record<string, JsonObject> = {}
  const needed: Record<string, JsonObject> = {}
  for (const request of Object.values(openRequests(task))) {
    if (!Json.isObject(request)) continue
    switch (Json.own(request, "method")) {
      case "elicitation/create": {
        const params = Json.own(request, "params")
        const isUrl = Json.isObject(params) && Json.own(params, "mode") === "url"
        elicitation[isUrl ? "url" : "form"] = {}
        needed["elicitation"] = elicitation
        break
      }
      case "sampling/createMessage":
        needed["sampling"] = {}
        break
      case "roots/list":
        needed["roots"] = {}
        break
    }
  }
  return needed
}

const common = (task: Task): JsonObject => ({
  taskId: task.taskId,
  status: task.status,
  ...(task.statusMessage === undefined ? {} : { statusMessage: task.statusMessage }),
  createdAt: new Date(task.createdAt).toISOString(),
  lastUpdatedAt: new Date(task.lastUpdatedAt).toISOString(),
  ttlMs: task.ttlMs,
  ...(task.pollIntervalMs === undefined ? {} : { pollIntervalMs: task.pollIntervalMs })
})

/** The handle that answers a request instead of its result: flat, and without what the task has to tell. */
export const created = (task: Task, identity: Implementation): JsonObject => ({
  resultType: "task",
  ...common(task),
  _meta: { [RequestMeta.key.serverInfo]: modern.implementation(identity) }
})

/** The whole task, as it is polled and pushed. */
export const detailed = (task: Task): JsonObject => {
  switch (task.status) {
    case "working":
    case "cancelled":
      return common(task)
    case "input_required":
      return { ...common(task), inputRequests: task.inputRequests }
    case "completed":
      return { ...common(task), result: task.result }
    case "failed":
      return { ...common(task), error: errorObject(task.error) }
  }
}

const errorObject = ({ code, data, message }: ErrorObject): JsonObject =>
  data === undefined ? { code, message } : { code, message, data }

/** The result of `tasks/get`. */
export const got = (task: Task, identity: Implementation): JsonObject =>
  modern.complete(detailed(task), identity)

/** The result of `tasks/update` and `tasks/cancel`. */
export const acknowledged = (identity: Implementation): JsonObject => modern.complete({}, identity)

/** What subscribers of the task are told. */
export const notice = (task: Task): Notice => ({ method: "notifications/tasks", params: detailed(task) })

const modern = Dialect.forVersion("2026-07-28")

const Named: Schema.Schema<{ readonly taskId: string }> = Codec.struct({ taskId: Codec.string })

const decodeNamed = Codec.decoder(Named, "params")

/** Reads the params of `tasks/get` and `tasks/cancel`. */
export const decodeTaskId = (params: JsonObject): Either.Either<string, InvalidParams> => {
  const decoded = decodeNamed(params)
  return Either.isLeft(decoded)
    ? Either.left(new InvalidParams({ detail: decoded.left }))
    : Either.right(decoded.right.taskId)
}

export interface Update {
  readonly taskId: string
  /** Of no known type: only the key says what was asked. */
  readonly inputResponses: JsonObject
}

const UpdateParams: Schema.Schema<Update> = Codec.struct({
  taskId: Codec.string,
  inputResponses: Codec.object
})

const decodeUpdateParams = Codec.decoder(UpdateParams, "params")

/** Reads the params of `tasks/update`. */
export const decodeUpdate = (params: JsonObject): Either.Either<Update, InvalidParams> =>
  Either.mapLeft(decodeUpdateParams(params), (detail) => new InvalidParams({ detail }))

/** Reads the `taskIds` of a subscription's filter, each once. */
export const decodeTaskIds = (asked: JsonValue): Either.Either<ReadonlyArray<string>, InvalidParams> => {
  const decoded = decodeIds(asked)
  return Either.isLeft(decoded)
    ? Either.left(new InvalidParams({ detail: decoded.left }))
    : Either.right(Array.from(new Set(decoded.right)))
}

const decodeIds = Codec.decoder(Codec.array(Codec.string), "params.notifications.taskIds")
