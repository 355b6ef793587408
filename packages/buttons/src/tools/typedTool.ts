/** One button as a tool of its own, whose input schema is made of the button's arguments. */
import type { JsonObject } from "@pushbutton/protocol/Json"
import type { ToolAnnotations } from "@pushbutton/protocol/Tool"
import * as OutputSchema from "@pushbutton/server/OutputSchema"
import type { Tool } from "@pushbutton/server/Tool"
import * as ToolResult from "@pushbutton/server/ToolResult"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { ArgDef, Button } from "../Button.js"
import * as Views from "../internal/buttonViews.js"
import * as PrintedJson from "../internal/printedJson.js"
import { firstOf, quote } from "../internal/text.js"
import * as ToolNames from "../internal/toolNames.js"
import type { PressResult } from "../PressResult.js"
import * as AgentPress from "./agentPress.js"
import { failed, pretty, refusal } from "./answers.js"
import { buttonsPress } from "./metaTools.js"

export interface Options extends AgentPress.Options {
  /**
   * How output is checked against a schema that has no problem (`OutputSchema.validator`). Without it the output schemas
   * of buttons are not offered.
   */
  readonly outputs?: ((schema: JsonObject) => Effect.Effect<OutputSchema.Validate>) | undefined
}

/** Arguments are checked as for every press, so that what is wrong is said in the same words, and what is missing asked for. */
export const make = (options: Options, button: Button): Tool<AgentPress.Needs> => {
  const properties = ToolNames.ofArguments(button.args.map(({ name }) => name))
  const argumentNames = new Map(Array.from(properties, ([name, property]) => [property, name]))
  const output = outputOf(options, button)
  return {
    definition: {
      name: ToolNames.ofSlug(button.slug),
      description: descriptionOf(button),
      inputSchema: inputSchemaOf(button.args, properties),
      outputSchema: output?.schema ?? pressedSchema(),
      annotations: annotationsOf(button)
    },
    task: "detach",
    call: (input) =>
      AgentPress.press(options, {
        name: button.slug,
        args: Object.fromEntries(
          Object.entries(input).map(([property, value]) => [argumentNames.get(property) ?? property, value])
        )
      }).pipe(
        Effect.flatMap((result) => answerOf(result, output)),
        Effect.catchAll(refusal(button.slug))
      )
  }
}

let pressed: JsonObject | undefined

/** Of `buttons_press`, which a server of these tools does not have itself. */
const pressedSchema = (): JsonObject => {
  pressed ??= buttonsPress().definition.outputSchema ?? { type: "object" }
  return pressed
}

interface Output {
  readonly schema: JsonObject
  readonly validator: Effect.Effect<OutputSchema.Validate>
}

/** A schema that no tool can be registered with says nothing: then the tool answers as any other. */
const outputOf = ({ outputs }: Options, { outputSchema: schema }: Button): Output | undefined =>
  outputs === undefined || schema === undefined || OutputSchema.problem(schema) !== undefined
    ? undefined
    : { schema, validator: outputs(schema) }

const descriptionOf = ({ description, slug, tags }: Button): string => {
  const said = description.trim() === "" ? `Presses the button ${quote(slug)}.` : description
  return tags.length === 0 ? said : `${said}\n\nTags: ${tags.join(", ")}`
}

const inputSchemaOf = (args: ReadonlyArray<ArgDef>, properties: ReadonlyMap<string, string>): JsonObject => {
  const propertyOf = ({ name }: ArgDef) => properties.get(name) ?? name
  const required = args.filter((arg) => arg.required).map(propertyOf)
  return {
    type: "object",
    ...(args.length === 0
      ? {}
      : {
          properties: Object.fromEntries(args.map((arg) => [propertyOf(arg), schemaOf(arg, propertyOf(arg))]))
        }),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false
  }
}

const schemaOf = ({ name, type, values }: ArgDef, property: string): JsonObject => ({
  ...typeOf(type, values),
  ...(property === name ? {} : { description: `The argument ${quote(name)}.` })
})

const typeOf = (type: ArgDef["type"], values: ReadonlyArray<string>): JsonObject => {
  switch (type) {
    case "string":
      return { type: "string" }
    case "int":
      return { type: "integer" }
    case "bool":
      return { type: "boolean" }
    case "enum":
      return { type: "string", enum: values }
  }
}

/** A note that is read changes nothing; of what a script or a server does nobody knows. */
const annotationsOf = ({ runtime }: Button): ToolAnnotations =>
  runtime === "prompt"
    ? { readOnlyHint: true, openWorldHint: false }
    : { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }

const answerOf = (result: PressResult, output: Output | undefined): Effect.Effect<ToolResult.ToolResult> => {
  if (result.status !== "ok") return Effect.succeed(failed(Views.unsuccessful(result)))
  if (output === undefined) {
    const view = Views.pressed(result)
    return Effect.succeed(ToolResult.content(pretty(view), { structured: { ...view } }))
  }
  const printed = PrintedJson.read(result.stdout)
  if (Either.isLeft(printed)) return Effect.succeed(failed(Views.unfit(result, printed.left)))
  return Effect.map(output.validator, (validate) => {
    const problems = validate(printed.right)
    return problems.length === 0
      ? ToolResult.content(result.stdout, { structured: printed.right })
      : failed(
          Views.unfit(result, firstOf(problems, shownProblems, (count) => `and ${count} more`).join("; "))
        )
  })
}

const shownProblems = 10
