/** The operators of RFC 6570, and what each lets a value be. */
import * as Percent from "../percent.js"

export type Operator = "" | "+" | "#" | "." | "/" | ";" | "?" | "&"

export interface Rule {
  /** What stands before the first value, and between values. */
  readonly first: string
  readonly separator: string
  /** Values go with their names, may be left out, and come in any order. */
  readonly named: boolean
  /** Reserved characters of a value stay as they are. */
  readonly reserved: boolean
  /** What follows a name whose value is empty. */
  readonly ifEmpty: string
  /** The whole expression may be missing. */
  readonly optional: boolean
  /** Characters that end the expression. */
  readonly stops: string
  /** Whether a value may hold `/` and `\`, and whether it may be or hold the segments `.` and `..`. */
  readonly separators: boolean
  readonly dots: boolean
}

const path = { separators: false, dots: false, stops: "/?#" } as const
const free = { separators: true, dots: true } as const
const positional = { named: false, optional: false, ifEmpty: "" } as const
const query = { ...free, named: true, optional: true, reserved: false, ifEmpty: "=", stops: "#" } as const

export const rules: Readonly<Record<Operator, Rule>> = {
  "": { ...positional, ...path, first: "", separator: ",", reserved: false },
  ".": { ...positional, ...path, first: ".", separator: ".", reserved: false },
  "/": { ...positional, ...path, first: "/", separator: "/", reserved: false },
  "+": { ...positional, first: "", separator: ",", reserved: true, stops: "", separators: true, dots: false },
  "#": { ...positional, ...free, first: "#", separator: ",", reserved: true, optional: true, stops: "" },
  ";": { ...path, named: true, optional: true, first: ";", separator: ";", reserved: false, ifEmpty: "" },
  "?": { ...query, first: "?", separator: "&" },
  "&": { ...query, first: "&", separator: "&" }
}

export interface Variable {
  readonly name: string
  /** `{/name*}`: a list of path segments. */
  readonly exploded: boolean
}

export interface Expression {
  readonly operator: Operator
  readonly variables: ReadonlyArray<Variable>
}

const control = /\p{Cc}/u
const separator = /[/\\]/

/**
 * The value behind an encoded text. Undefined when it is not UTF-8, or holds what its operator does not let through:
 * a handler that makes a path of a value must not be led out of its folder. Decoded once, so nothing hides deeper.
 */
export const readValue = (operator: Operator, encoded: string): string | undefined => {
  const value = Percent.decode(encoded)
  return value === undefined || !admits(operator, value) ? undefined : value
}

/** NUL and other control characters never pass. */
export const admits = (operator: Operator, value: string): boolean => {
  const { dots, separators } = rules[operator]
  if (control.test(value)) return false
  if (!separators && separator.test(value)) return false
  return dots || !value.split(separator).some((segment) => segment === "." || segment === "..")
}
