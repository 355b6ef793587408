/** A task as it is stored: one JSON text, read back only when every member is as it was written. */
import * as Json from "@pushbutton/protocol/Json"
import type { Task } from "@pushbutton/protocol/Task"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

export interface TaskRecord {
  readonly task: Task
  readonly owner: string | undefined
  /** The opening of the store from which the task was run. */
  readonly runner: string
}

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const JsonObject = Schema.declare(Json.isObject)

const JsonValue = Schema.declare((value): value is Json.JsonValue => value !== undefined)

const facts = {
  taskId: Schema.String,
  createdAt: Schema.Number,
  lastUpdatedAt: Schema.Number,
  ttlMs: Schema.NullOr(Schema.Number),
  pollIntervalMs: optional(Schema.Number),
  statusMessage: optional(Schema.String),
  issued: Schema.Array(Schema.String)
}

const ErrorObject = Schema.Struct({
  code: Schema.Number,
  message: Schema.String,
  data: optional(JsonValue)
})

const StoredTask = Schema.Union(
  Schema.Struct({ ...facts, status: Schema.Literal("working") }),
  Schema.Struct({ ...facts, status: Schema.Literal("input_required"), inputRequests: JsonObject }),
  Schema.Struct({ ...facts, status: Schema.Literal("completed"), result: JsonObject }),
  Schema.Struct({ ...facts, status: Schema.Literal("failed"), error: ErrorObject }),
  Schema.Struct({ ...facts, status: Schema.Literal("cancelled") })
)

const Stored = Schema.Struct({
  schema_version: Schema.Literal(1),
  runner: Schema.String,
  owner: Schema.NullOr(Schema.String),
  task: StoredTask
})

const decodeStored = Schema.decodeUnknownEither(Schema.parseJson(Stored))

export const encode = ({ owner, runner, task }: TaskRecord): string => {
  const stored: typeof Stored.Encoded = { schema_version: 1, runner, owner: owner ?? null, task }
  return JSON.stringify(stored)
}

/** Undefined for a text that no version of this code wrote, or that is damaged. */
export const decode = (text: string): TaskRecord | undefined => {
  const decoded = decodeStored(text)
  if (Either.isLeft(decoded)) return undefined
  const { owner, runner, task } = decoded.right
  return { task, runner, owner: owner ?? undefined }
}
