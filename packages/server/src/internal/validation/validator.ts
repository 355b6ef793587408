/** Checks of JSON values against a schema, compiled once and in two forms: a quick one, and one that explains. */
import { isObject, type JsonObject, type JsonValue } from "@pushbutton/protocol/Json"
import type { Document } from "@pushbutton/protocol/JsonSchema"
import type { ErrorObject, ValidateFunction } from "ajv/dist/core.js"
import * as Effect from "effect/Effect"
import * as Budget from "./budget.js"
import { describe } from "./describe.js"
import * as Engine from "./engine.js"

/** What is wrong with a value, one line each; nothing when it conforms. */
export type Validate = (value: JsonValue) => ReadonlyArray<string>

export const make = (document: Document): Effect.Effect<Validate> =>
  Effect.map(
    Effect.promise(() => Engine.load(document.dialect)),
    ({ every, first }) => {
      const schema = counted(document.assertions)
      const holds = compile(first, schema)
      let explain: ValidateFunction | undefined
      return (value) => {
        const found = errorsOf(holds, value)
        if (found === undefined) return [tooCostly]
        if (found.length === 0) return []
        // All problems of a large value may be more than memory holds: then the first has to do.
        if (!isSmall(value)) return describe(found)
        explain ??= compile(every, schema)
        return describe(errorsOf(explain, value) ?? found)
      }
    }
  )

const tooCostly = "The value takes too many steps to check: send a smaller or a flatter one"

const compile = (engine: Engine.Engines["first"], schema: JsonObject): ValidateFunction => {
  const validate = engine.compile(schema)
  // Or the engine would keep the schemas of tools that are gone.
  engine.removeSchema(schema)
  return validate
}

/** Undefined when the budget is used up. */
const errorsOf = (validate: ValidateFunction, value: JsonValue): ReadonlyArray<ErrorObject> | undefined =>
  Budget.within(() => (validate(value) ? [] : (validate.errors ?? [])))

/** Every schema that a reference can lead to, the root among them, counts its uses. */
const counted = (assertions: JsonObject): JsonObject => {
  const step = { [Engine.stepKeyword]: true }
  const { $defs, ...root } = assertions
  if (!isObject($defs)) return { ...step, ...root }
  const definitions = Object.entries($defs).map(([name, schema]) => [
    name,
    isObject(schema) ? { ...step, ...schema } : schema
  ])
  return { ...step, ...root, $defs: Object.fromEntries(definitions) }
}

const mostValues = 10_000

const isSmall = (value: JsonValue): boolean => {
  const open: Array<JsonValue> = [value]
  for (let seen = 0; open.length > 0; seen++) {
    if (seen + open.length > mostValues) return false
    const next = open.pop()
    if (typeof next !== "object" || next === null) continue
    const members: ReadonlyArray<JsonValue> = Object.values(next)
    if (members.length > mostValues) return false
    open.push(...members)
  }
  return true
}
