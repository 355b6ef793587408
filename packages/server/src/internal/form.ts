/** Forms of an Effect Schema, or as they are sent: what goes out, and how what comes back is read. */
import * as Elicitation from "@pushbutton/protocol/Elicitation"
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { fromSchema } from "./jsonSchema.js"

export interface Form<out A> {
  readonly schema: JsonObject
  /** Left: what does not fit. */
  readonly read: (content: JsonObject) => Either.Either<A, string>
}

/** Throws when no form can ask for it: a mistake in the program. */
export const of = <A, I>(
  schema: Schema.Schema<A, I> | Elicitation.FormSchema
): Form<A | Elicitation.FormContent> => (isFormSchema(schema) ? asSent(schema) : fromEffectSchema(schema))

const isFormSchema = <A, I>(
  schema: Schema.Schema<A, I> | Elicitation.FormSchema
): schema is Elicitation.FormSchema => !Schema.isSchema(schema)

const formOf = (schema: JsonObject): JsonObject => {
  const form = Elicitation.formSchema(schema)
  if (Either.isLeft(form)) throw new Error(`A form cannot ask for this schema: ${form.left}`)
  return form.right
}

const asSent = (given: Elicitation.FormSchema): Form<Elicitation.FormContent> => {
  const schema = formOf(given)
  return { schema, read: (content) => Elicitation.readContent(schema, content) }
}

/** By Schema: a handler makes its asks anew with each call and round, of the same Schemas. */
const schemas = new WeakMap<object, JsonObject>()

const schemaOf = <A, I>(given: Schema.Schema<A, I>): JsonObject => {
  const known = schemas.get(given)
  if (known !== undefined) return known
  const schema = formOf(fromSchema(given))
  schemas.set(given, schema)
  return schema
}

const fromEffectSchema = <A, I>(given: Schema.Schema<A, I>): Form<A> => {
  const schema = schemaOf(given)
  const decode = ParseResult.decodeUnknownEither(given)
  return {
    schema,
    read: (content) =>
      Either.flatMap(Elicitation.readContent(schema, content), (fields) =>
        Either.mapLeft(decode(fields), ParseResult.TreeFormatter.formatIssueSync)
      )
  }
}
