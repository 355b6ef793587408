/**
 * Progress that a running button reports by appending lines to a file. No schema is enforced on those lines, so a line
 * that cannot be understood is still a message.
 */
import { isObject, type JsonObject } from "@pushbutton/protocol/Json"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as FileTail from "./internal/fileTail.js"
import { excerpt } from "./internal/text.js"

export interface Update {
  /** Between 0 and `total`, where both are known. */
  readonly progress?: number
  readonly total?: number
  readonly message?: string
}

export const maxMessageLength = 1_000

/**
 * Reads `{pct, msg}` with `pct` from 0 to 1, and `{progress, total, message}`; undefined for a blank line and for an
 * object that says nothing. Numbers that begin with a dot, as `bc` prints them, are understood. `clean` is given each
 * message before it is shortened.
 */
export const decodeLine = (
  line: string,
  clean: (message: string) => string = (message) => message
): Update | undefined => {
  const text = line.trim()
  if (text === "") return undefined
  const value = parse(text) ?? parse(text.replace(/([:[,]\s*-?)\.(?=\d)/g, (_, before) => `${before}0.`))
  return value === undefined ? { message: shorten(clean(text)) } : fromObject(value, clean)
}

/**
 * Follows a progress file until the scope closes or `finish` has delivered what is left. A line that is longer than
 * 8 KiB is cut; after 16 MiB no more is read.
 */
export const follow: (
  path: string,
  onLine: (line: string) => Effect.Effect<void>
) => Effect.Effect<{ readonly finish: Effect.Effect<void> }, never, Scope.Scope> = FileTail.follow

const parse = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const fromObject = (object: JsonObject, clean: (message: string) => string): Update | undefined => {
  const message = [object["message"], object["msg"]].find((value) => typeof value === "string")
  const update: Update = {
    ...amounts(number(object["pct"]), number(object["progress"]), number(object["total"])),
    ...(message === undefined || message === "" ? {} : { message: shorten(clean(message)) })
  }
  return Object.keys(update).length === 0 ? undefined : update
}

const amounts = (
  fraction: number | undefined,
  progress: number | undefined,
  total: number | undefined
): Update => {
  if (progress !== undefined) {
    if (total === undefined || total <= 0) return { progress: Math.max(0, progress) }
    return { progress: clamp(progress, total), total }
  }
  return fraction === undefined ? {} : { progress: clamp(fraction, 1), total: 1 }
}

const number = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined

const clamp = (value: number, limit: number): number => Math.min(limit, Math.max(0, value))

const shorten = (text: string): string => excerpt(text, maxMessageLength)
