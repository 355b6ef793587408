/**
 * Matching in time proportional to template times text, whatever either is: which rest of the template can take
 * which rest of the text is worked out from the end, then read off from the start. A variable takes what it can.
 */
import { type Expression, type Rule, readValue, rules, type Variable } from "./expression.js"

export type Value = string | ReadonlyArray<string>

type Step =
  | { readonly _tag: "Text"; readonly text: string }
  /** Goes on after `lead`, or skips the run that follows. */
  | { readonly _tag: "Optional"; readonly lead: string }
  | {
      readonly _tag: "Run"
      readonly stops: string
      readonly least: 0 | 1
      readonly read: (text: string) => ReadonlyArray<readonly [string, Value]> | undefined
    }

export type Matcher = (text: string) => { readonly [name: string]: Value } | undefined

/** Takes literals in normalised spelling, and matches texts of that spelling. */
export const compile = (parts: ReadonlyArray<string | Expression>): Matcher => {
  const steps = parts.flatMap((part, index): ReadonlyArray<Step> => {
    if (typeof part === "string") return [{ _tag: "Text", text: part }]
    return stepsOf(part, leadsOf(parts.slice(index + 1)))
  })
  const [first] = steps
  return (text) => {
    if (first?._tag === "Text" && !text.startsWith(first.text)) return undefined
    const can = reachable(steps, text)
    return can[0]?.[0] === 1 ? read(steps, can, text) : undefined
  }
}

/** Reserved characters that start later expressions: no earlier variable runs over them. */
const leadsOf = (parts: ReadonlyArray<string | Expression>): string =>
  parts
    .map((part) => (typeof part === "string" || !rules[part.operator].optional ? "" : part.operator))
    .join("")

const stepsOf = (expression: Expression, leads: string): ReadonlyArray<Step> => {
  const rule = rules[expression.operator]
  if (rule.optional) {
    const stops = rule.named ? rule.stops + leads.replaceAll(rule.separator, "") : rule.stops
    const read = rule.named ? namedValues(expression, rule) : fragmentValues(expression)
    return [
      { _tag: "Optional", lead: rule.first },
      { _tag: "Run", stops, least: 0, read }
    ]
  }
  return expression.variables.flatMap((variable, index): ReadonlyArray<Step> => {
    const before = index === 0 ? rule.first : rule.separator
    const separate = expression.operator === "" && expression.variables.length > 1 ? "," : ""
    const stops = (variable.exploded ? "?#" : rule.stops) + separate + leads
    const run: Step = { _tag: "Run", stops, least: 1, read: positionalValue(expression, variable) }
    return before === "" ? [run] : [{ _tag: "Text", text: before }, run]
  })
}

const positionalValue =
  ({ operator }: Expression, { exploded, name }: Variable) =>
  (text: string) => {
    if (!exploded) return entry(name, readValue(operator, text))
    const segments = allDefined(
      text.split("/").map((segment) => (segment === "" ? undefined : readValue(operator, segment)))
    )
    return segments === undefined ? undefined : entry(name, segments)
  }

const fragmentValues =
  ({ operator, variables }: Expression) =>
  (text: string) => {
    const texts = variables.length === 1 ? [text] : text.split(",")
    if (texts.length !== variables.length) return undefined
    return allDefined(
      variables.map(({ name }, index) => {
        const value = readValue(operator, texts[index] ?? "")
        return value === undefined ? undefined : ([name, value] as const)
      })
    )
  }

/** In any order, each at most once, and none that the template does not name. */
const namedValues = ({ operator, variables }: Expression, { separator }: Rule) => {
  const names = new Set(variables.map(({ name }) => name))
  return (text: string) => {
    const values = new Map<string, string>()
    for (const pair of text.split(separator)) {
      const equals = pair.indexOf("=")
      const name = equals === -1 ? pair : pair.slice(0, equals)
      const value = equals === -1 ? "" : readValue(operator, pair.slice(equals + 1))
      if (value === undefined || !names.has(name) || values.has(name)) return undefined
      values.set(name, value)
    }
    return [...values]
  }
}

const entry = (name: string, value: Value | undefined) =>
  value === undefined ? undefined : ([[name, value]] as const)

const allDefined = <A>(values: ReadonlyArray<A | undefined>): ReadonlyArray<A> | undefined => {
  const defined = values.filter((value) => value !== undefined)
  return defined.length === values.length ? defined : undefined
}

type Table = ReadonlyArray<Uint8Array>

/** `table[step][at]` is 1 where the steps from there can take the text from there to its end. */
const reachable = (steps: ReadonlyArray<Step>, text: string): Table => {
  const end = new Uint8Array(text.length + 1)
  end[text.length] = 1
  const table: Array<Uint8Array> = [end]
  for (let at = steps.length - 1; at >= 0; at--) {
    const step = steps[at]
    if (step === undefined) continue
    const [next = end, afterNext = end] = table
    table.unshift(row(step, text, next, afterNext))
  }
  return table
}

const row = (step: Step, text: string, next: Uint8Array, afterNext: Uint8Array): Uint8Array => {
  const can = new Uint8Array(text.length + 1)
  switch (step._tag) {
    case "Text":
      for (let at = 0; at + step.text.length <= text.length; at++) {
        if (next[at + step.text.length] === 1 && text.startsWith(step.text, at)) can[at] = 1
      }
      return can
    case "Optional":
      for (let at = 0; at <= text.length; at++) {
        can[at] = afterNext[at] === 1 || (text[at] === step.lead && next[at + 1] === 1) ? 1 : 0
      }
      return can
    case "Run": {
      let more = 0
      for (let at = text.length; at >= 0; at--) {
        const taken = at < text.length && !step.stops.includes(text.charAt(at)) ? more : 0
        more = taken === 1 || next[at] === 1 ? 1 : 0
        can[at] = step.least === 0 ? more : taken
      }
      return can
    }
  }
}

const read = (
  steps: ReadonlyArray<Step>,
  can: Table,
  text: string
): { readonly [name: string]: Value } | undefined => {
  const entries: Array<readonly [string, Value]> = []
  let at = 0
  for (let index = 0; index < steps.length; index++) {
    const step = steps[index]
    if (step?._tag === "Text") at += step.text.length
    else if (step?._tag === "Optional") {
      if (text[at] === step.lead && can[index + 1]?.[at + 1] === 1) at += 1
      else index += 1
    } else if (step?._tag === "Run") {
      const end = longest(step.stops, text, at, at + step.least, can[index + 1])
      const values = step.read(text.slice(at, end))
      if (values === undefined) return undefined
      entries.push(...values)
      at = end
    }
  }
  return Object.fromEntries(entries)
}

const longest = (
  stops: string,
  text: string,
  from: number,
  least: number,
  next: Uint8Array | undefined
): number => {
  let end = least
  for (let at = from; ; at++) {
    if (at >= least && next?.[at] === 1) end = at
    if (at >= text.length || stops.includes(text.charAt(at))) return end
  }
}
