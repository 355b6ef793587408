/** A command of a definitions file, in the form in which it is pressed: a button that nobody sees. */
import * as Either from "effect/Either"
import * as Button from "../Button.js"
import { variableName } from "../internal/buttonArgs.js"
import * as Files from "../internal/buttonFiles.js"
import { quote } from "../internal/text.js"
import { codeProblem } from "./DefinedButton.js"
import type * as Schema from "./DefinitionsSchema.js"
import * as Mistakes from "./mistakes.js"
import { defaultTimeoutSeconds } from "./ResourceCommand.js"
import type { Path } from "./sourceText.js"

export type Command = Pick<Schema.Resource, "runtime" | "env" | "timeout_seconds" | "requires_batteries">

/** Undefined when there are mistakes in it. `path` is that of what has the command. */
export const make = (
  name: string,
  command: string,
  { env, requires_batteries, runtime = "shell", timeout_seconds = defaultTimeoutSeconds }: Command,
  args: ReadonlyArray<Button.ArgDef>,
  path: Path,
  mistakes: Mistakes.Mistakes
): Button.Button | undefined => {
  const inCode = codeProblem(command)
  if (inCode !== undefined) mistakes.at([...path, "command"], inCode)
  const { button, problems } = Button.decode({
    slug: "command",
    directory: "/",
    relativeDirectory: "",
    text: Either.right(
      JSON.stringify({
        schema_version: 2,
        name: "command",
        runtime,
        env,
        timeout_seconds,
        requires_batteries
      })
    ),
    files: Files.names
  })
  for (const { field, message, severity } of problems)
    mistakes.at([...path, ...Mistakes.pathOf(field ?? "")], message, severity)
  return button === undefined || inCode !== undefined
    ? undefined
    : {
        ...button,
        slug: `resource ${name}`,
        origin: "resource",
        args,
        inlineCode: command,
        codeFile: undefined
      }
}

/** Each variable of a template as an argument. */
export const argsOf = (
  variables: ReadonlyArray<string>
): Either.Either<ReadonlyArray<Button.ArgDef>, string> => {
  const owners = new Map<string, string>()
  for (const name of variables) {
    const variable = variableName(name)
    const owner = owners.get(variable)
    if (!/^[A-Za-z0-9_-]+$/.test(name)) return Either.left(`has ${quote(name)}, which cannot name a variable`)
    if (owner !== undefined && owner !== name)
      return Either.left(`has ${quote(owner)} and ${quote(name)}, which would both be ${variable}`)
    owners.set(variable, name)
  }
  return Either.right(
    [...new Set(variables)].map((name) => ({ name, type: "string", required: false, values: [] }))
  )
}
