/**
 * URI templates (RFC 6570, levels 1 to 3, and `{/name*}` for several path segments): read, fill in, and match.
 * Variables of `{name}`, `{+name}`, `{.name}` and `{/name}` always have a value that is not empty; those of
 * `{?name}`, `{&name}`, `{;name}` and `{#name}` may be missing, since an expansion leaves them out.
 */
import * as Either from "effect/Either"
import * as Percent from "./internal/percent.js"
import { type Expression, rules } from "./internal/uriTemplate/expression.js"
import * as Matcher from "./internal/uriTemplate/matcher.js"
import { parseParts } from "./internal/uriTemplate/parse.js"

export type Value = string | ReadonlyArray<string>

export type Values = { readonly [name: string]: Value | undefined }

type Expressions<Text extends string> = Text extends `${string}{${infer Inner}}${infer Rest}`
  ? Inner | Expressions<Rest>
  : never

type Names<List extends string> = List extends `${infer First},${infer Rest}` ? First | Names<Rest> : List

type Positional<Inner extends string> = Inner extends `${"?" | "&" | ";" | "#"}${string}`
  ? never
  : Inner extends `${"+" | "." | "/"}${infer List}`
    ? Names<List>
    : Names<Inner>

type Omissible<Inner extends string> = Inner extends `${"?" | "&" | ";" | "#"}${infer List}`
  ? Names<List>
  : never

type Exploded<Name extends string> = Name extends `${infer Base}*` ? Base : never
type Plain<Name extends string> = Name extends `${string}*` ? never : Name

type Flat<Parts> = { readonly [Name in keyof Parts]: Parts[Name] }

/** What a match of a template gives, by the template's own text. */
export type Variables<Template extends string> = string extends Template
  ? Values
  : Flat<
      { [Name in Plain<Positional<Expressions<Template>>>]: string } & {
        [Name in Exploded<Positional<Expressions<Template>>>]: ReadonlyArray<string>
      } & { [Name in Omissible<Expressions<Template>>]?: string | undefined }
    >

export interface UriTemplate {
  /** As written. */
  readonly template: string
  /** Names in the order of the template. */
  readonly variables: ReadonlyArray<string>
  /** Literals in normalised spelling, and expressions. */
  readonly parts: ReadonlyArray<string | Expression>
  /** See `match`. */
  readonly matcher: Matcher.Matcher
}

/** Left says why not, as a clause about the template: `has to start with a scheme`. */
export const parse = (template: string): Either.Either<UriTemplate, string> =>
  Either.map(parseParts(template), (parts) => ({
    template,
    variables: parts.flatMap((part) =>
      typeof part === "string" ? [] : part.variables.map(({ name }) => name)
    ),
    parts,
    matcher: Matcher.compile(parts)
  }))

/**
 * The variables of a URI, decoded once. Undefined when it does not match, or when a value holds what its place does
 * not allow: no control character anywhere; no `/`, `\`, `.` or `..` in a path segment; no dot segments in `{+name}`.
 * The URI has to be in the spelling that `Uri.normalize` gives.
 */
export const match = (template: UriTemplate, uri: string): { readonly [name: string]: Value } | undefined =>
  template.matcher(uri)

/** Values that are undefined are left out, as RFC 6570 has it. */
export const expand = (template: UriTemplate, values: Values): string =>
  template.parts.map((part) => (typeof part === "string" ? part : expandExpression(part, values))).join("")

const expandExpression = ({ operator, variables }: Expression, values: Values): string => {
  const { first, ifEmpty, named, reserved, separator } = rules[operator]
  const texts = variables.flatMap(({ exploded, name }) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined || (typeof value !== "string" && value.length === 0)) return []
    const encoded =
      typeof value === "string"
        ? encode(value, reserved)
        : value.map((item) => encode(item, reserved)).join(exploded ? separator : ",")
    if (!named) return [encoded]
    return [encoded === "" ? name + ifEmpty : `${name}=${encoded}`]
  })
  return texts.length === 0 ? "" : first + texts.join(separator)
}

const reservedCharacter = /^[:/?#[\]@!$&'()*+,;=]$/

const encode = (value: string, reserved: boolean): string => {
  let encoded = ""
  for (let at = 0; at < value.length; ) {
    const character = String.fromCodePoint(value.codePointAt(at) ?? 0)
    const kept =
      Percent.isUnreserved(character) ||
      (reserved && (reservedCharacter.test(character) || (character === "%" && Percent.isTriplet(value, at))))
    encoded += kept ? character : Percent.encode(character)
    at += character.length
  }
  return encoded
}
