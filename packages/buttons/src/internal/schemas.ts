/** What schemas of this package have in common. */
import * as Schema from "effect/Schema"

/** A member that may be left out, and is never `undefined`. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/**
 * What is said of a value that does not fit. Without a message of its own a refusal would say "Expected" and the
 * description. With `override` it also stands for what is wrong with the parts.
 */
export const must = (be: string, override = true) => ({
  message: () => ({ message: `must ${be}`, override })
})
