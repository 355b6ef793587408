/** From what a handler does to a tool's result. */
import type { JsonValue } from "@pushbutton/protocol/Json"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as ToolResult from "../ToolResult.js"
import { describeFailure } from "./describeFailure.js"
import * as Immediate from "./immediate.js"
import type { Validate } from "./validation/validator.js"

/** A success that breaks the schema it was announced with: a defect of the tool, never sent to a client. */
export class InvalidOutput extends Data.TaggedError("InvalidOutput")<{
  readonly problems: ReadonlyArray<string>
}> {
  override get message() {
    return `The result does not fit the output schema: ${this.problems.join("; ")}`
  }
}

type Handler<A, B, E, R> = (args: A) => Effect.Effect<B, E, R>
type Respond<A, R> = (args: A) => Effect.Effect<ToolResult.ToolResult, never, R>

export const plain =
  <A, E, R>(handler: Handler<A, ToolResult.ToolContent, E, R>): Respond<A, R> =>
  (args) =>
    settled(handler, args, (returned) => Effect.succeed(ToolResult.from(returned)))

/** How a structured value is written, and what is wrong with one that came in a whole result. */
interface Output<B> {
  /** Throws when the value does not fit. */
  readonly encode: (value: B) => { readonly value: JsonValue; readonly text: string }
  readonly problems: (value: JsonValue) => Effect.Effect<ReadonlyArray<string>>
}

export const structured =
  <A, B, E, R>(handler: Handler<A, B | ToolResult.ToolResult, E, R>, output: Output<B>): Respond<A, R> =>
  (args) =>
    settled(handler, args, (returned) => {
      if (ToolResult.isToolResult(returned)) return conforming(returned, output.problems)
      const { text, value } = output.encode(returned)
      return Effect.succeed(ToolResult.content(text, { structured: value }))
    })

export const json = <A, E, R>(
  options: {
    readonly handler: Handler<A, JsonValue | ToolResult.ToolResult, E, R>
    readonly text?: (value: JsonValue) => string
  },
  check: Effect.Effect<Validate>
): Respond<A, R> => {
  const textOf = options.text ?? JSON.stringify
  const problems = (value: JsonValue) =>
    Immediate.flatMap(check, (validate) => Effect.succeed(validate(value)))
  return (args) =>
    settled(options.handler, args, (returned) => {
      if (ToolResult.isToolResult(returned)) return conforming(returned, problems)
      // What goes out is what JSON makes of it, so that is what is checked.
      const value: JsonValue = JSON.parse(JSON.stringify(returned))
      return conforming(ToolResult.content(textOf(value), { structured: value }), problems)
    })
}

/** 2026-07-28, tools, Output Schema (MUST). A failed result has no such value to show. */
const conforming = (
  result: ToolResult.ToolResult,
  problemsOf: (value: JsonValue) => Effect.Effect<ReadonlyArray<string>>
): Effect.Effect<ToolResult.ToolResult> => {
  if (result.isError === true) return Effect.succeed(result)
  if (result.structuredContent === undefined) {
    return Effect.die(new InvalidOutput({ problems: ["structured content is missing"] }))
  }
  return Immediate.flatMap(problemsOf(result.structuredContent), (problems) =>
    problems.length === 0 ? Effect.succeed(result) : Effect.die(new InvalidOutput({ problems }))
  )
}

/** What the handler fails with is a result; what is made of its success is no failure of the handler. */
const settled = <A, B, E, R>(
  handler: Handler<A, B, E, R>,
  args: A,
  onSuccess: (returned: B) => Effect.Effect<ToolResult.ToolResult>
): Effect.Effect<ToolResult.ToolResult, never, R> =>
  Immediate.matchEffect(
    Immediate.suspend(() => handler(args)),
    { onSuccess, onFailure: explained }
  )

const explained = (error: unknown) => Effect.succeed(ToolResult.error(describeFailure(error)))
