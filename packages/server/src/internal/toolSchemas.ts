/** What a tool's schemas have to be for any client to take the tool. */
import * as JsonSchema from "@pushbutton/protocol/JsonSchema"
import * as ParamHeaders from "@pushbutton/protocol/ParamHeaders"
import type * as Protocol from "@pushbutton/protocol/Tool"
import * as Either from "effect/Either"

/** A member of a definition that cannot be served: its path, and why. */
export interface DefinitionProblem {
  readonly property: string
  readonly detail: string
}

export const inspect = (
  definition: Pick<Protocol.Tool, "inputSchema" | "outputSchema">
): Either.Either<ReadonlyArray<ParamHeaders.ParamHeader>, DefinitionProblem> => {
  const { inputSchema, outputSchema } = definition
  if (outputSchema !== undefined) {
    const output = JsonSchema.read(outputSchema, "any")
    if (Either.isLeft(output)) return Either.left(within("outputSchema", output.left))
  }
  return Either.mapLeft(
    Either.flatMap(JsonSchema.read(inputSchema, "object"), ParamHeaders.declared),
    (problem) => within("inputSchema", problem)
  )
}

export const within = (member: string, { detail, pointer }: JsonSchema.Problem): DefinitionProblem => ({
  property: `${member}${pointer}`,
  detail
})
