/** What agents are answered: JSON as text, and in structure where it is a success. */
import * as ToolResult from "@pushbutton/server/ToolResult"
import * as Effect from "effect/Effect"
import { type ButtonError, type Failure, toFailure } from "../ButtonError.js"
import * as Views from "../internal/buttonViews.js"

export const pretty = (value: unknown): string => JSON.stringify(value, null, 2)

export const failed = (failure: object): ToolResult.ToolResult => ToolResult.error(JSON.stringify(failure))

export const refused = (name: string, failure: Failure): Effect.Effect<ToolResult.ToolResult> =>
  Effect.succeed(failed(Views.refused(name, failure)))

export const refusal = (name: string) => (error: ButtonError) => refused(name, toFailure(error))
