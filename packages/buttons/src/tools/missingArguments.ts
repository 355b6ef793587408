/**
 * Required arguments that an agent left out are asked for, in one form, where its client can show one. What looks like a
 * secret never is, since clients show and keep what is typed: then nothing is asked, and the press is refused.
 */
import type * as Elicitation from "@pushbutton/protocol/Elicitation"
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as Ask from "@pushbutton/server/Ask"
import type { RequestContext } from "@pushbutton/server/RequestContext"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { ArgDef, Button } from "../Button.js"
import { PressArgumentInvalid } from "../ButtonError.js"
import * as SecretNames from "../internal/secretNames.js"
import { excerpt, quote } from "../internal/text.js"
import * as PressArguments from "../PressArguments.js"
import * as Printable from "../Printable.js"

/** The arguments with what the user has added; as they are where nobody is asked. Fails when the user refused. */
export const complete = (
  button: Button,
  args: JsonObject
): Effect.Effect<JsonObject, PressArgumentInvalid, RequestContext> =>
  Effect.gen(function* () {
    const missing = askable(button, args)
    if (missing.length === 0 || !(yield* Ask.supports("form"))) return args
    const outcome = yield* Ask.form("arguments", { message: messageOf(button), schema: formOf(missing) })
    switch (outcome._tag) {
      case "Accepted":
        return { ...args, ...outcome.content }
      case "Declined":
        return yield* notGiven(missing, "declined to give it")
      case "Cancelled":
        return yield* notGiven(missing, "dismissed the question")
      default:
        return args
    }
  })

/** What is missing, when that is all that is wrong and none of it may be a secret. */
const askable = (button: Button, args: JsonObject): ReadonlyArray<ArgDef> => {
  const encoded = PressArguments.encode(button.args, args, Number.POSITIVE_INFINITY)
  if (Either.isRight(encoded) || encoded.left.code !== "MISSING_ARG") return []
  const names = new Set(encoded.left.issues.map(({ argument }) => argument))
  const missing = button.args.filter(({ name }) => names.has(name))
  return missing.some(({ name }) => SecretNames.isSecret(name)) ? [] : missing
}

const messageOf = ({ description, slug }: Button): string => {
  const said = description === "" ? "" : ` (${Printable.line(excerpt(description, 200))})`
  return `To press button ${quote(slug)}${said}, fill in what is missing.`
}

const formOf = (missing: ReadonlyArray<ArgDef>): Elicitation.FormSchema => ({
  type: "object",
  properties: Object.fromEntries(missing.map((arg) => [arg.name, fieldOf(arg)])),
  required: missing.map(({ name }) => name)
})

const fieldOf = ({ name, type, values }: ArgDef): Elicitation.FormField => {
  const title = excerpt(name)
  switch (type) {
    case "string":
      return { type: "string", title }
    case "int":
      return { type: "integer", title }
    case "bool":
      return { type: "boolean", title }
    case "enum":
      return { type: "string", title, enum: values }
  }
}

const notGiven = (missing: ReadonlyArray<ArgDef>, what: string) =>
  new PressArgumentInvalid({
    code: "MISSING_ARG",
    issues: missing.map(({ name }) => ({
      argument: name,
      reason: "missing",
      detail: `${quote(name)} is required, and the user ${what}`
    }))
  })
