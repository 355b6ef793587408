/** Errors of the validator, in the words that arguments of Effect Schema tools are answered with. */
import type { ErrorObject } from "ajv/dist/core.js"
import { at, quote } from "../problems.js"

export const describe = (errors: ReadonlyArray<ErrorObject>): ReadonlyArray<string> => {
  // That a condition led to `then` or `else` is said beside what went wrong in there.
  const shown = errors.filter(({ keyword }) => keyword !== "if")
  return [...new Set((shown.length === 0 ? errors : shown).map(line))]
}

const line = (error: ErrorObject): string => {
  const path = error.instancePath
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
  const named = (name: unknown, text: string) => at([...path, String(name)], text)
  const { params } = error
  switch (error.keyword) {
    case "required":
      return named(params["missingProperty"], "is missing")
    case "dependentRequired":
    case "dependencies":
      return named(params["missingProperty"], `is missing, and ${quote(params["property"])} needs it`)
    case "additionalProperties":
      return named(params["additionalProperty"], "is unexpected")
    case "unevaluatedProperties":
      return named(params["unevaluatedProperty"], "is unexpected")
    case "propertyNames":
      return named(params["propertyName"], "is not a name that is expected here")
    default:
      return at(path, `${expected(error)}, actual ${quote(error.data)}`)
  }
}

const expected = ({ keyword, message, params, schema }: ErrorObject): string => {
  switch (keyword) {
    case "type":
      return `Expected ${[params["type"]].flat().join(" or ")}`
    case "enum":
      return `Expected one of ${[params["allowedValues"]].flat().map(quote).join(", ")}`
    case "const":
      return `Expected ${quote(params["allowedValue"])}`
    case "uniqueItems":
      return "Expected different items"
    case "multipleOf":
      return `Expected a multiple of ${quote(schema)}`
    case "false schema":
      return "Expected nothing"
    case "not":
      return "Expected a value that the schema under `not` refuses"
    default:
      return message === undefined ? `Expected what ${keyword} asks for` : capitalised(message)
  }
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
