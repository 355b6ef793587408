/** Input of tools that is an object of members which the tool does not know beforehand. */
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"

/** `Schema.Record` drops this one without a word. */
const dropped = "__proto__"

const name = Schema.String.pipe(
  Schema.filter((text) => text !== dropped, { identifier: `any name but ${dropped}` })
)

export const members = <A, I>(value: Schema.Schema<A, I>, description: string) => {
  const { $schema: _, ...additionalProperties } = JSONSchema.make(value)
  return Schema.Record({ key: name, value }).annotations({
    jsonSchema: { type: "object", additionalProperties, description }
  })
}
