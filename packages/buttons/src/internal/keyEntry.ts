/** What is kept of an idempotency key: to what it is bound, and what came of the press. */
import { createHash, createHmac } from "node:crypto"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { PressResult } from "../PressResult.js"
import { optional } from "./schemas.js"
import * as StoredResult from "./storedResult.js"

const KeyEntry = Schema.Struct({
  /** What the file is called: the key itself is told to nobody. */
  key: Schema.String,
  /** RFC 3339, UTC. */
  stored_at: Schema.String,
  expires_at: Schema.String,
  /** What only this button with these arguments gives, and nobody can guess them from. */
  binding: Schema.String,
  /** The server that runs the press; without one and without a result nobody knows what came of it. */
  owner: optional(Schema.String),
  result: optional(StoredResult.StoredResult)
})

export type KeyEntry = typeof KeyEntry.Type

const decodeJson = Schema.decodeUnknownOption(Schema.parseJson(KeyEntry))

/** Entries of other writers are bound to nothing, and are not understood. */
export const decode = (text: string): KeyEntry | undefined => Option.getOrUndefined(decodeJson(text))

export const encode = (entry: KeyEntry): string => JSON.stringify(entry, null, 2)

const decodeExpiry = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Struct({ expires_at: Schema.String }))
)

/** Of any writer's entry; undefined where that cannot be read. */
export const isExpired = (text: string, nowMillis: number): boolean | undefined =>
  Option.match(decodeExpiry(text), {
    onNone: () => undefined,
    onSome: ({ expires_at }) => !(Date.parse(expires_at) > nowMillis)
  })

export interface KeyedPress {
  readonly key: string
  readonly principal: string | undefined
  /** The button's. */
  readonly slug: string
  /** Texts by argument name. */
  readonly args: Readonly<Record<string, string>>
}

const digest = (secret: string, content: unknown): string =>
  createHmac("sha256", secret).update(JSON.stringify(content)).digest("hex")

/**
 * Keys of a principal are its own. Without one, the key has the file that other programs of the format look for.
 * `secret` is that of whoever keeps the keys.
 */
export const idOf = (secret: string, { key, principal }: KeyedPress): string =>
  principal === undefined
    ? createHash("sha256").update(key).digest("hex")
    : digest(secret, ["key", principal, key])

export const bindingOf = (secret: string, { args, slug }: KeyedPress): string =>
  digest(secret, ["press", slug, Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1))])

/** A key of a press that runs. */
export const running = (
  id: string,
  binding: string,
  owner: string,
  nowMillis: number,
  ttlMillis: number
): KeyEntry => ({
  key: id,
  stored_at: new Date(nowMillis).toISOString(),
  expires_at: new Date(nowMillis + ttlMillis).toISOString(),
  binding,
  owner
})

/** The same key when the press has ended, with what came of it where that is known. */
export const ended = ({ owner: _, ...entry }: KeyEntry, result: PressResult | undefined): KeyEntry =>
  result === undefined ? entry : { ...entry, result: StoredResult.fromResult(result) }
