/** `pushbutton schema` */
import * as Command from "@effect/cli/Command"
import * as DefinitionsJsonSchema from "@pushbutton/buttons/definitions/definitionsJsonSchema"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"

export const schema = Command.make("schema", {}, () =>
  Effect.suspend(() => Console.log(DefinitionsJsonSchema.text().trimEnd()))
).pipe(Command.withDescription("Prints the JSON Schema of definitions files, for editors."))
