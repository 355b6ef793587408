/** The messages about tasks (2026-07-28, Tasks extension), and the capability they belong to. */
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import * as Capabilities from "./Capabilities.js"
import * as Dialect from "./dialect/Dialect.js"
import type { Implementation } from "./Implementation.js"
import * as Codec from "./internal/codec.js"
import type { JsonObject, JsonValue } from "./Json.js"
import type { ErrorObject } from "./JsonRpc.js"
import { InvalidParams } from "./ProtocolError.js"
import * as RequestMeta from "./RequestMeta.js"
import type { Notice } from "./Subscription.js"
import type { Task } from "./Task.js"

export const extension = "io.modelcontextprotocol/tasks"

/** What a client declares, with each request, to get tasks. */
export const capability: JsonObject = { extensions: { [extension]: {} } }

export const isDeclared = (clientCapabilities: JsonObject): boolean =>
  Capabilities.missing(capability, clientCapabilities) === undefined

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
