/** Forms as authors may write them, every kind of field with any of its keywords. */
import type { FormField, FormSchema } from "@pushbutton/protocol/Elicitation"
import * as fc from "effect/FastCheck"

const labels = { title: fc.string(), description: fc.string() }
const size = fc.nat(9)
const value = fc.constantFrom("a", "b", "", "a: b", "__proto__")
const values = fc.uniqueArray(value, { minLength: 1 })
const choices = fc.array(fc.record({ const: value, title: fc.string() }), { minLength: 1, maxLength: 3 })

const field: fc.Arbitrary<FormField> = fc.oneof(
  fc.record(
    {
      type: fc.constant("string" as const),
      ...labels,
      minLength: size,
      maxLength: size,
      format: fc.constantFrom("email" as const, "date" as const),
      default: fc.string()
    },
    { requiredKeys: ["type"] }
  ),
  fc.record(
    {
      type: fc.constantFrom("number" as const, "integer" as const),
      ...labels,
      minimum: fc.integer(),
      maximum: fc.integer(),
      default: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
    },
    { requiredKeys: ["type"] }
  ),
  fc.record(
    { type: fc.constant("boolean" as const), ...labels, default: fc.boolean() },
    { requiredKeys: ["type"] }
  ),
  fc.record(
    {
      type: fc.constant("string" as const),
      ...labels,
      enum: values,
      enumNames: fc.array(value),
      default: value
    },
    { requiredKeys: ["type", "enum"] }
  ),
  fc.record(
    { type: fc.constant("string" as const), ...labels, oneOf: choices, default: value },
    { requiredKeys: ["type", "oneOf"] }
  ),
  fc.record(
    {
      type: fc.constant("array" as const),
      ...labels,
      items: fc.oneof(
        fc.record({ type: fc.constant("string" as const), enum: values }),
        fc.record({ anyOf: choices })
      ),
      minItems: size,
      maxItems: size,
      default: fc.array(value)
    },
    { requiredKeys: ["type", "items"] }
  )
)

const name = fc.constantFrom("a", "b", "name", "__proto__", "constructor", "")

export const formSchema: fc.Arbitrary<FormSchema> = fc
  .tuple(fc.array(fc.tuple(name, field), { maxLength: 4 }), fc.uniqueArray(name))
  .map(([fields, required]) => ({ type: "object", properties: Object.fromEntries(fields), required }))
