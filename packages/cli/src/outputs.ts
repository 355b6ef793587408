/** Checks of what buttons say against their output schemas: a file of its own, loaded with the first check. */
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as OutputSchema from "@pushbutton/server/OutputSchema"
import * as Effect from "effect/Effect"

export const validator = (schema: JsonObject): Promise<OutputSchema.Validate> =>
  Effect.runPromise(OutputSchema.validator(schema))
