/** Tools for all buttons alike: list, press and inspect. Only buttons that opted in exist here. */
import * as Tool from "@pushbutton/server/Tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ButtonCatalogue, getVisible } from "../ButtonCatalogue.js"
import * as Problem from "../ButtonProblem.js"
import * as Views from "../internal/buttonViews.js"
import { must, optional } from "../internal/schemas.js"
import { firstOf } from "../internal/text.js"
import { PressHistory } from "../PressHistory.js"
import { maxKeyLength } from "../PressKeys.js"
import * as AgentPress from "./agentPress.js"
import { failed, pretty, refusal } from "./answers.js"
import { members } from "./members.js"

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

const buttonName = Schema.String.annotations({ description: "The button's name.", ...must("be a string") })

const PressInput = Schema.Struct({
  name: buttonName,
  args: optional(
    members(
      Schema.Union(Schema.String, Schema.Number, Schema.Boolean).annotations(
        must("be a string, a number, true or false")
      ),
      "Its arguments by name."
    ).annotations(must("be an object", false))
  ),
  timeout: optional(
    Schema.Int.annotations({
      description:
        "Seconds after which the button is stopped, instead of its own; at most 120, or as long as the button allows itself where the press becomes a task.",
      ...must("be a whole number of seconds")
    })
  ),
  idempotency_key: optional(
    Schema.String.pipe(Schema.minLength(1), Schema.maxLength(maxKeyLength)).annotations({
      description:
        "A key of your own for this press. The same key with the same button and arguments starts nothing again and gives the first result, with `replayed` in it: use it to try again after a lost answer.",
      ...must(`be a string of 1 to ${maxKeyLength} characters`)
    })
  )
})

export const buttonsPress = (options: AgentPress.Options = {}) =>
  Tool.make("buttons_press", {
    title: "Press a button",
    description:
      "Presses a button and waits for it to end. `buttons_list` gives the names and the arguments. A failure says what the button wrote before it ended; a refusal with `retry_after_ms` says when to try again.",
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    task: "detach",
    input: PressInput,
    output: Views.Pressed,
    text: pretty,
    handler: ({ args = {}, idempotency_key, name, timeout }) =>
      AgentPress.press(options, {
        name,
        args,
        timeoutSeconds: timeout,
        idempotencyKey: idempotency_key
      }).pipe(
        Effect.map((result) =>
          result.status === "ok" ? Views.pressed(result) : failed(Views.unsuccessful(result))
        ),
        Effect.catchAll(refusal(name))
      )
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
