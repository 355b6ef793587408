/** The JSON Schema of definitions files (draft 7, which editors read best), made from the schema that decodes them. */
import * as JSONSchema from "effect/JSONSchema"
import { Definitions } from "./DefinitionsSchema.js"

/** The same as is published in `definitions.schema.json`. */
export const text = (): string => `${JSON.stringify(JSONSchema.make(Definitions), null, 2)}\n`
