/** What is known of a call when a round begins: the payload of its sealed state. */
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as Json from "@pushbutton/protocol/Json"

export interface Answered {
  /** Of the request that was answered. */
  readonly fingerprint: string
  readonly response: JsonValue
}

export interface Memory {
  /** Rounds that have been sent. */
  readonly rounds: number
  /** What the last round asked: key to the request's fingerprint. */
  readonly asked: ReadonlyMap<string, string>
  readonly answers: ReadonlyMap<string, Answered>
  readonly steps: ReadonlyMap<string, JsonValue | undefined>
}

const version = 1

/** Pairs in lists, so that a key may have any name. */
export const encode = ({ answers, asked, rounds, steps }: Memory): JsonObject => ({
  version,
  rounds,
  asked: [...asked],
  answers: Array.from(answers, ([key, { fingerprint, response }]) => [key, fingerprint, response]),
  steps: Array.from(steps, ([key, value]) => (value === undefined ? [key] : [key, value]))
})

/** Undefined for a payload of another version of this code. */
export const decode = (payload: JsonObject): Memory | undefined => {
  const { answers, asked, rounds, steps } = payload
  if (Json.own(payload, "version") !== version || typeof rounds !== "number") return undefined
  if (!isRows(asked) || !isRows(answers) || !isRows(steps)) return undefined
  return {
    rounds,
    asked: new Map(asked.map(([key, fingerprint]) => [String(key), String(fingerprint)])),
    answers: new Map(
      answers.map(([key, fingerprint, response = null]) => [
        String(key),
        { fingerprint: String(fingerprint), response }
      ])
    ),
    steps: new Map(steps.map(([key, value]) => [String(key), value]))
  }
}

const isRows = (value: JsonValue | undefined): value is ReadonlyArray<ReadonlyArray<JsonValue>> =>
  Array.isArray(value) && value.every((row) => Array.isArray(row))
