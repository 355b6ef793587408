/**
 * Keeps secrets out of everything that a press says: output, progress, errors, history. A secret is found in the ways in
 * which it may have been written, also where a cut went through it.
 */
import type { Button } from "./Button.js"
import * as ButtonSecrets from "./internal/buttonSecrets.js"
import * as SecretNames from "./internal/secretNames.js"
import * as Spellings from "./internal/spellings.js"
import * as TextSearch from "./internal/textSearch.js"
import * as Unwrapped from "./internal/unwrapped.js"
import type { PressResult } from "./PressResult.js"
import type { Cut } from "./PressRunner.js"

/** Shorter values are found everywhere, so that nothing is gained by hiding them. */
export const minSecretLength = 4

export interface Redaction {
  readonly secrets: ReadonlyArray<string>
  /** Where the text was cut, what is left of a secret is one too. */
  readonly text: (text: string, cuts?: ReadonlyArray<Cut>) => string
}

export const none: Redaction = { secrets: [], text: (text) => text }

export const make = (secrets: ReadonlyArray<string>): Redaction => {
  const spellings = [
    ...new Set(
      secrets
        .flatMap(parts)
        .flatMap((secret) => (secret.length < minSecretLength ? [] : Spellings.of(secret)))
        .filter((spelling) => spelling.length >= minSecretLength)
    )
  ]
  if (spellings.length === 0) return none
  const mask = masks.find((candidate) => !spellings.some((spelling) => candidate.includes(spelling))) ?? ""
  const rounds = spellings.some((spelling) => canJoin(mask, spelling)) ? maxRounds : 1
  return {
    secrets,
    text: (text, cuts = []) => {
      let clean = text
      for (let round = 0; round < rounds; round++) {
        const found = merge(find(clean, spellings, round === 0 ? cuts : []))
        if (found.length === 0) return clean
        clean = replace(clean, found, mask)
      }
      return rounds === 1 ? clean : mask
    }
  }
}

/** The first that is not itself a secret. */
const masks = ["[redacted]", "***", "…"] as const
const maxRounds = 8

/** Whether a mask and what stands beside it could make up a secret again. */
const canJoin = (mask: string, spelling: string): boolean =>
  spelling.includes(mask) ||
  Array.from(mask, (_, at) => at).some(
    (at) => spelling.startsWith(mask.slice(at)) || spelling.endsWith(mask.slice(0, at + 1))
  )

const minLineLength = 8

/** A secret of several lines may be printed line by line. */
const parts = (secret: string): ReadonlyArray<string> => {
  const lines = secret.split(/\r?\n/).map((line) => line.trim())
  return [
    secret,
    secret.trim(),
    ...(lines.length < 2 ? [] : lines.filter(({ length }) => length >= minLineLength))
  ]
}

const find = (
  text: string,
  spellings: ReadonlyArray<string>,
  cuts: ReadonlyArray<Cut>
): ReadonlyArray<TextSearch.Span> => [
  ...spellings.flatMap((spelling) => [
    ...TextSearch.occurrences(text, spelling),
    ...cuts.flatMap(({ from, to }) => [...beginning(text, spelling, from), ...ending(text, spelling, to)])
  ]),
  ...findWrapped(text, spellings)
]

/** Shorter ones are not wrapped, and could be made up of the ends of lines that have nothing to do with them. */
const minWrappedLength = 24

const findWrapped = (text: string, spellings: ReadonlyArray<string>): ReadonlyArray<TextSearch.Span> => {
  const long = spellings.filter(({ length }) => length >= minWrappedLength)
  if (long.length === 0 || !text.includes("\n")) return []
  const unwrapped = Unwrapped.of(text)
  return long.flatMap((spelling) => TextSearch.occurrences(unwrapped.text, spelling).map(unwrapped.spanOf))
}

/** The longest beginning of a spelling that the text up to `end` ends with. */
const beginning = (text: string, spelling: string, end: number): ReadonlyArray<TextSearch.Span> => {
  const before = text.slice(Math.max(0, end - spelling.length + 1), end)
  const length = TextSearch.overlap(before, spelling)
  return length < minSecretLength ? [] : [{ from: end - length, to: end }]
}

/** The longest end of a spelling that the text from `start` begins with. */
const ending = (text: string, spelling: string, start: number): ReadonlyArray<TextSearch.Span> => {
  const length = TextSearch.overlap(spelling, text.slice(start, start + spelling.length - 1))
  return length < minSecretLength ? [] : [{ from: start, to: start + length }]
}

const merge = (spans: ReadonlyArray<TextSearch.Span>): ReadonlyArray<TextSearch.Span> => {
  const merged: Array<TextSearch.Span> = []
  for (const span of [...spans].sort((one, other) => one.from - other.from)) {
    const last = merged.at(-1)
    if (last === undefined || span.from > last.to) merged.push(span)
    else if (span.to > last.to) merged[merged.length - 1] = { from: last.from, to: span.to }
  }
  return merged
}

const replace = (text: string, spans: ReadonlyArray<TextSearch.Span>, mask: string): string => {
  let clean = ""
  let at = 0
  for (const { from, to } of spans) {
    clean += text.slice(at, from) + mask
    at = to
  }
  return clean + text.slice(at)
}

/** What must not be told of a button: batteries, and what its definition holds that is a secret. */
export const ofButton = (button: Button, batteries: ReadonlyMap<string, string>): Redaction =>
  make([...batteries.values(), ...ButtonSecrets.of(button)])

/** The same for one press: what arguments hold whose name says that they are secret must not be told either. */
export const ofPress = (
  redaction: Redaction,
  args: Button["args"],
  given: PressResult["args"]
): Redaction => {
  const values = Object.entries(given).flatMap(([name, value]) => (isSecret(args, name) ? [value] : []))
  return values.length === 0 ? redaction : make([...redaction.secrets, ...values])
}

/** What may be told of the arguments of a press. */
export const argsOfPress = (args: Button["args"], given: PressResult["args"]): PressResult["args"] =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, isSecret(args, name) ? masks[0] : value])
  )

/** A number, a choice and a truth are no secrets, whatever they are called. */
const isSecret = (args: Button["args"], name: string): boolean =>
  args.some((arg) => arg.name === name && arg.type === "string" && SecretNames.isSecret(name))

/** Of a press that has ended: what it wrote, and what it was given. */
export const result = (redaction: Redaction, { cuts, ...result }: PressResult): PressResult => {
  const isPartial = !whole.has(result.reason)
  const clean = (text: string, cut: Cut | undefined) =>
    redaction.text(text, [
      ...(cut === undefined ? [] : [cut]),
      ...(isPartial ? [{ from: text.length, to: text.length }] : [])
    ])
  return {
    ...result,
    stdout: clean(result.stdout, cuts?.stdout),
    stderr: clean(result.stderr, cuts?.stderr),
    args: args(redaction, result.args)
  }
}

export const args = (redaction: Redaction, given: PressResult["args"]): PressResult["args"] =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, redaction.text(value)]))

const whole: ReadonlySet<PressResult["reason"]> = new Set(["exited", "responded", "prompt"])
