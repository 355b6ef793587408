/** The button tools an agent sees: list, press and inspect. Only buttons that opted in exist here. */
import * as McpServer from "@pushbutton/server/McpServer"
import * as Progress from "@pushbutton/server/Progress"
import { RequestContext } from "@pushbutton/server/RequestContext"
import * as Tool from "@pushbutton/server/Tool"
import * as ToolResult from "@pushbutton/server/ToolResult"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ButtonCatalogue, getVisible } from "./ButtonCatalogue.js"
import { type ButtonError, toFailure } from "./ButtonError.js"
import * as Problem from "./ButtonProblem.js"
import * as Views from "./internal/buttonViews.js"
import * as ProgressSteps from "./internal/progressSteps.js"
import { firstOf } from "./internal/text.js"
import { Press } from "./Press.js"
import { PressHistory } from "./PressHistory.js"

const pretty = (value: unknown): string => JSON.stringify(value, null, 2)

const failed = (failure: object): ToolResult.ToolResult => ToolResult.error(JSON.stringify(failure))

const refusal = (name: string) => (error: ButtonError) =>
  Effect.succeed(failed(Views.refused(name, toFailure(error))))

const shownErrors = 50

export const ButtonsList = Tool.make("buttons_list", {
  title: "List buttons",
  description: "Lists the buttons that can be pressed, with the arguments each one takes.",
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: Schema.Struct({}),
  output: Views.Listing,
  text: pretty,
  handler: () =>
    Effect.gen(function* () {
      const { buttons, hidden, problems } = yield* (yield* ButtonCatalogue).list
      const visible = buttons.filter(({ slug }) => !hidden.has(slug))
      const errors = firstOf(
        problems
          .filter(({ severity, slug }) => severity === "error" && !hidden.has(slug))
          .map(Problem.format),
        shownErrors,
        (count) => `and ${count} more`
      )
      return {
        buttons: visible.map(Views.summary),
        count: visible.length,
        ...(errors.length === 0 ? {} : { errors })
      }
    })
})

/**
 * Without a message of its own a refusal would say "Expected" and the description. With `override` it also stands for
 * what is wrong with the parts.
 */
const must = (be: string, override = true) => ({ message: () => ({ message: `must ${be}`, override }) })

const buttonName = Schema.String.annotations({ description: "The button's name.", ...must("be a string") })

export const ButtonsPress = Tool.make("buttons_press", {
  title: "Press a button",
  description:
    "Presses a button and waits for it to end. `buttons_list` gives the names and the arguments. A failure says what the button wrote before it ended.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: Schema.Struct({
    name: buttonName,
    args: Schema.optionalWith(
      Schema.Record({
        key: Schema.String,
        value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean).annotations(
          must("be a string, a number, true or false")
        )
      }).annotations({ description: "Its arguments by name.", ...must("be an object", false) }),
      { exact: true }
    ),
    timeout: Schema.optionalWith(
      Schema.Int.annotations({
        description: "Seconds after which the button is stopped; at most 120.",
        ...must("be a whole number of seconds")
      }),
      { exact: true }
    )
  }),
  output: Views.Pressed,
  text: pretty,
  handler: ({ args, name, timeout }) =>
    Effect.gen(function* () {
      const { press } = yield* Press
      const { principal } = yield* RequestContext
      const step = ProgressSteps.make()
      // The request is captured here because a press reports from a place that knows no request.
      const report = yield* Progress.reporter
      const result = yield* press({
        name,
        args: args ?? {},
        timeoutSeconds: timeout,
        caller: "mcp",
        principal,
        onProgress: (update) => report(step(update))
      })
      return result.status === "ok" ? Views.pressed(result) : failed(Views.unsuccessful(result))
    }).pipe(Effect.catchAll(refusal(name)))
})

const shownRuns = 5

export const ButtonsInspect = Tool.make("buttons_inspect", {
  title: "Inspect a button",
  description: "Shows one button: what it takes, how it runs, and how its last runs ended.",
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: Schema.Struct({ name: buttonName }),
  output: Views.Inspected,
  text: pretty,
  handler: ({ name }) =>
    Effect.gen(function* () {
      const button = yield* getVisible(yield* ButtonCatalogue, name, "mcp")
      return Views.inspected(button, yield* (yield* PressHistory).recent(button.slug, shownRuns))
    }).pipe(Effect.catchAll(refusal(name)))
})

/** Registers the three tools. */
export const layer = McpServer.tools(ButtonsList, ButtonsPress, ButtonsInspect)
