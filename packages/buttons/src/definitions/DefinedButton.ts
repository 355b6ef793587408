/** A button of a definitions file, made by the same rules as one of a folder. */
import * as Either from "effect/Either"
import * as Button from "../Button.js"
import * as Files from "../internal/buttonFiles.js"
import { byteLength, quote } from "../internal/text.js"
import * as Slug from "../Slug.js"
import type * as Schema from "./DefinitionsSchema.js"
import * as Mistakes from "./mistakes.js"
import type { Path, Place } from "./sourceText.js"

export interface DefinedButton {
  readonly button: Button.Button
  /** The text of a prompt button. */
  readonly note: string | undefined
  /** The name of the file that defines it, and where. */
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Where the file is; relative paths in it start there. */
export interface FileOf {
  /** For messages. */
  readonly name: string
  /** Absolute. */
  readonly directory: string
}

/** Linux passes no longer argument to a program than about twice that. */
export const maxCodeBytes = 65_536

export const codeProblem = (code: string): string | undefined => {
  if (code.includes("\0")) return "contains a NUL character"
  return byteLength(code) > maxCodeBytes
    ? `is longer than ${maxCodeBytes} bytes; put it into a file`
    : undefined
}

/** The one of the members that is there; more than one, or none, is a mistake of the whole. */
export const onlyOne = <Name extends string>(
  defined: { readonly [Key in Name]?: string },
  names: ReadonlyArray<Name>,
  path: Path,
  mistakes: Mistakes.Mistakes
): Name | undefined => {
  const [first, second] = names.filter((name) => defined[name] !== undefined)
  if (first === undefined) mistakes.atName(path, `needs one of ${names.join(", ")}`)
  if (second !== undefined) mistakes.atName([...path, second], `cannot stand beside ${first}`)
  return first
}

/** Undefined when there are mistakes in it. */
export const make = (
  slug: string,
  definition: Schema.Button,
  file: FileOf,
  mistakes: Mistakes.Mistakes,
  place: Place
): DefinedButton | undefined => {
  const path: Path = ["buttons", slug]
  if (!Slug.isSlug(slug)) {
    const wanted = Slug.fromName(slug)
    const advice = wanted === "" ? "use a-z, 0-9 and -" : `write ${quote(wanted)}`
    mistakes.atName(path, `${quote(slug)} is not a button name; ${advice}`)
    return undefined
  }
  const kind = onlyOne(definition, ["code", "file", "prompt", "url"], path, mistakes)
  const inCode = definition.code === undefined ? undefined : codeProblem(definition.code)
  if (inCode !== undefined) mistakes.at([...path, "code"], inCode)
  if (kind === undefined || inCode !== undefined) return undefined

  const { code, file: codeFile, prompt, runtime, ...rest } = definition
  if (runtime !== undefined && (kind === "prompt" || kind === "url"))
    mistakes.atName([...path, "runtime"], `cannot stand beside ${kind}`)
  const { button, problems } = Button.decode({
    slug,
    directory: file.directory,
    relativeDirectory: file.name,
    text: Either.right(
      JSON.stringify({
        schema_version: 2,
        name: slug,
        runtime: runtimes[kind] ?? runtime ?? "shell",
        ...rest
      })
    ),
    // What a press reads is here, or named here.
    files: Files.names
  })
  for (const { field, message, severity } of problems)
    mistakes.at([...path, ...Mistakes.pathOf(field ?? "")], message, severity)
  return (
    button && {
      button: { ...button, origin: "definitions", codeFile, inlineCode: code, noteFile: undefined },
      note: prompt,
      file: file.name,
      ...place
    }
  )
}

const runtimes: Readonly<Record<string, string>> = { prompt: "prompt", url: "http" }
