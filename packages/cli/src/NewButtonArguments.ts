/** From the options of `pushbutton create` to a new button. Pure; the file that `--file` names was read before. */
import * as NewButton from "@pushbutton/buttons/NewButton"
import type * as Runtime from "@pushbutton/buttons/Runtime"
import * as Either from "effect/Either"

export const runtimes = ["shell", "bash", "python", "node"] as const

export interface NewButtonArguments {
  readonly name: string
  readonly code: string | undefined
  readonly file: { readonly name: string; readonly text: string } | undefined
  readonly prompt: string | undefined
  readonly url: string | undefined
  readonly runtime: Runtime.CodeRuntime | undefined
  readonly method: string | undefined
  /** `Name: value` */
  readonly headers: ReadonlyArray<string>
  readonly body: string | undefined
  readonly description: string | undefined
  /** `name:type:required`, `name:enum:optional:one|other` */
  readonly args: ReadonlyArray<string>
  readonly tags: ReadonlyArray<string>
  readonly batteries: ReadonlyArray<string>
  readonly timeoutSeconds: number | undefined
  readonly enabled: boolean
}

/** Left: what is wrong, and how it is written. */
export const toNewButton = (given: NewButtonArguments): Either.Either<NewButton.NewButton, string> =>
  Either.gen(function* () {
    const action = yield* actionOf(given)
    return {
      name: given.name,
      action,
      description: given.description,
      tags: given.tags,
      args: yield* Either.all(given.args.map(argumentOf)),
      requiredBatteries: given.batteries,
      timeoutSeconds: given.timeoutSeconds,
      mcpEnabled: given.enabled
    }
  })

const actionOf = (given: NewButtonArguments): Either.Either<NewButton.Action, string> => {
  const { body, code, file, method, prompt, runtime, url } = given
  const sources = [code, file, prompt, url].filter((source) => source !== undefined)
  if (sources.length !== 1) return Either.left("Give exactly one of --code, --file, --prompt and --url")
  const isCode = code !== undefined || file !== undefined
  if (runtime !== undefined && !isCode) return Either.left("--runtime goes with --code and --file")
  if (url === undefined && (method !== undefined || body !== undefined || given.headers.length > 0)) {
    return Either.left("--method, --header and --body go with --url")
  }
  const inline = code ?? prompt
  if (inline !== undefined && Buffer.byteLength(inline) > NewButton.maxInlineBytes) {
    return Either.left(`--code and --prompt take at most ${NewButton.maxInlineBytes} bytes; use --file`)
  }
  if (prompt !== undefined) return Either.right({ _tag: "Prompt", text: prompt })
  if (url !== undefined) {
    return Either.map(Either.all(given.headers.map(headerOf)), (headers) => ({
      _tag: "Http",
      url,
      method,
      headers: Object.fromEntries(headers),
      body
    }))
  }
  return Either.right({
    _tag: "Code",
    runtime: runtime ?? runtimeOf(file?.name ?? ""),
    code: code ?? file?.text ?? ""
  })
}

const runtimeOf = (file: string): Runtime.CodeRuntime => {
  if (/\.py$/i.test(file)) return "python"
  return /\.[cm]?js$/i.test(file) ? "node" : "shell"
}

const headerOf = (text: string): Either.Either<readonly [string, string], string> => {
  const colon = text.indexOf(":")
  return colon > 0
    ? Either.right([text.slice(0, colon).trim(), text.slice(colon + 1).trim()])
    : Either.left(`--header ${text}: write it as Name: value`)
}

const argumentOf = (text: string): Either.Either<NewButton.NewArgument, string> => {
  const [name = "", type = "", presence = "", values, ...rest] = text.split(":").map((part) => part.trim())
  const required = presence.toLowerCase()
  if (name === "" || rest.length > 0 || (required !== "required" && required !== "optional")) {
    return Either.left(
      `--arg ${text}: write it as name:type:required or name:type:optional; an enum ends with :one|other`
    )
  }
  return Either.right({
    name,
    type: type.toLowerCase(),
    required: required === "required",
    values: values?.split("|").map((value) => value.trim())
  })
}
