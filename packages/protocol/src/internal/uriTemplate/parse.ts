/** The text of a template as literals and expressions. What could be read in two ways is refused. */
import * as Either from "effect/Either"
import * as Uri from "../../Uri.js"
import { type Expression, type Operator, rules, type Variable } from "./expression.js"

export type Parts = ReadonlyArray<string | Expression>

export const parseParts = (template: string): Either.Either<Parts, string> => {
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(template)) return Either.left("has to start with a scheme")
  if (template.length > Uri.maxLength) return Either.left(`is longer than ${Uri.maxLength} characters`)
  const parts: Array<string | Expression> = []
  const seen = new Set<string>()
  for (let at = 0; at < template.length; ) {
    const open = template.indexOf("{", at)
    const end = open === -1 ? template.length : open
    if (end > at) {
      const literal = parseLiteral(template.slice(at, end), at === 0)
      if (literal === undefined) return Either.left("has a character that a URI cannot have")
      parts.push(literal)
    }
    if (open === -1) break
    const close = template.indexOf("}", open)
    if (close === -1) return Either.left("has a brace that is not closed")
    const expression = parseExpression(template.slice(open + 1, close))
    if (Either.isLeft(expression)) return Either.left(expression.left)
    const problem = checkPlace(expression.right, parts.at(-1), seen)
    if (problem !== undefined) return Either.left(problem)
    parts.push(expression.right)
    at = close + 1
  }
  return Either.right(parts)
}

const parseLiteral = (text: string, isFirst: boolean): string | undefined =>
  isFirst ? Uri.normalize(text) : Uri.normalizeCharacters(text)

const isOperator = (text: string): text is Operator => Object.hasOwn(rules, text)

const variableName = /^[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*$/

const parseExpression = (inner: string): Either.Either<Expression, string> => {
  const lead = inner.slice(0, 1)
  const operator = lead !== "" && isOperator(lead) ? lead : ""
  const variables: Array<Variable> = []
  for (const text of inner.slice(operator.length).split(",")) {
    const exploded = text.endsWith("*")
    const name = exploded ? text.slice(0, -1) : text
    if (!variableName.test(name)) return Either.left(`has an expression that is not supported: {${inner}}`)
    variables.push({ name, exploded })
  }
  if (variables.some(({ exploded }) => exploded) && (operator !== "/" || variables.length > 1)) {
    return Either.left(`has an expression that is not supported: {${inner}}; only {/name*} takes a list`)
  }
  return Either.right({ operator, variables })
}

/** Adds the names to those seen. */
const checkPlace = (
  { operator, variables }: Expression,
  before: string | Expression | undefined,
  seen: Set<string>
): string | undefined => {
  for (const { name } of variables) {
    if (seen.has(name)) return `has the variable ${name} twice`
    seen.add(name)
  }
  if (before === undefined || typeof before === "string") return undefined
  if (rules[operator].first === "") return "has two expressions side by side that cannot be told apart"
  const mergeable = operator === before.operator || (operator === "&" && before.operator === "?")
  return rules[operator].named && mergeable
    ? "has two expressions side by side that should be one"
    : undefined
}
