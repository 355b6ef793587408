/** A task as it is stored: one JSON text, read back only when every member is as it was written. */
import * as Json from "@pushbutton/protocol/Json"
import type { Task } from "@pushbutton/protocol/Task"
import * as Either from "effect/Either"
import type { ParseError } from "effect/ParseResult"
import * as Schema from "effect/Schema"

export interface TaskRecord {
  readonly task: Task
  readonly owner: string | undefined
  /** The opening of the store from which the task was run. */
  readonly runner: string
}

/** Made when the first record is read: most servers read none. */
const stored = () => {
  const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })
  const JsonObject = Schema.declare(Json.isObject)
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
    data: optional(Schema.declare((value): value is Json.JsonValue => value !== undefined))
  })
  return Schema.Struct({
    schema_version: Schema.Literal(1),
    runner: Schema.String,
    owner: Schema.NullOr(Schema.String),
    task: Schema.Union(
      Schema.Struct({ ...facts, status: Schema.Literal("working") }),
      Schema.Struct({ ...facts, status: Schema.Literal("input_required"), inputRequests: JsonObject }),
      Schema.Struct({ ...facts, status: Schema.Literal("completed"), result: JsonObject }),
      Schema.Struct({ ...facts, status: Schema.Literal("failed"), error: ErrorObject }),
      Schema.Struct({ ...facts, status: Schema.Literal("cancelled") })
    )
  })
}

type Stored = Schema.Schema.Type<ReturnType<typeof stored>>

let decodeStored: ((text: unknown) => Either.Either<Stored, ParseError>) | undefined

export const encode = ({ owner, runner, task }: TaskRecord): string => {
  const record: Stored = { schema_version: 1, runner, owner: owner ?? null, task }
  return JSON.stringify(record)
}

/** Undefined for a text that no version of this code wrote, or that is damaged. */
export const decode = (text: string): TaskRecord | undefined => {
  decodeStored ??= Schema.decodeUnknownEither(Schema.parseJson(stored()))
  const decoded = decodeStored(text)
  if (Either.isLeft(decoded)) return undefined
  const { owner, runner, task } = decoded.right
  return { task, runner, owner: owner ?? undefined }
}
