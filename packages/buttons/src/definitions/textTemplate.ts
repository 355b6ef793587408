/** Texts of a definitions file, with `{{argument}}` in them. A `{{` that is none is written `\{{`. */
import * as Either from "effect/Either"
import * as Placeholders from "../internal/placeholders.js"
import { quote } from "../internal/text.js"

export type TextTemplate = Placeholders.Template<{ readonly name: string }>

const pattern = /\\\{\{|\{\{([^{}]*)\}\}|\{\{/g

/** Left: what is wrong with the text. */
export const parse = (text: string, names: ReadonlySet<string>): Either.Either<TextTemplate, string> => {
  const problems: Array<string> = []
  const template = Placeholders.parse(text, pattern, ([whole, inside]) => {
    if (whole.startsWith("\\")) return "{{"
    const name = inside?.trim()
    if (name !== undefined && names.has(name)) return { name }
    problems.push(
      name === undefined ? "has {{ without }}; write \\{{ where it stands for itself" : unknown(name, names)
    )
    return whole
  })
  const [problem] = problems
  return problem === undefined ? Either.right(template) : Either.left(problem)
}

/** A name without a value is filled in with nothing. */
export const fill = (template: TextTemplate, values: Placeholders.Values): string =>
  Placeholders.fill(template, ({ name }) => Placeholders.textOf(values, name) ?? "")

const unknown = (name: string, names: ReadonlySet<string>): string => {
  const known = names.size === 0 ? "there are none" : `there are ${[...names].map(quote).join(", ")}`
  return `fills in ${quote(name)}, which is not among the names: ${known}`
}
