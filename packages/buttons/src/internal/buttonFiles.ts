/** The files of a button's folder that a press reads: its code or its note. */
import type { Button, Source } from "../Button.js"
import type { ButtonProblem } from "../ButtonProblem.js"
import * as Runtime from "../Runtime.js"
import * as Paths from "./paths.js"

/** Names of a button's note; the first that is there counts. */
export const noteFiles: ReadonlyArray<string> = ["AGENTS.md", "AGENT.md"]

const codeFiles: ReadonlyMap<string, string> = new Map(Object.entries(Runtime.codeFile))

/** All of the names, of every runtime. */
export const names: ReadonlySet<string> = new Set([...codeFiles.values(), ...noteFiles])

/** Whether a change of something of that name may be one of a button, in the folder of buttons or inside of a button's. */
export const counts = (name: string, isInside: boolean): boolean =>
  isInside ? name === "button.json" || names.has(name) : !name.startsWith(".")

/** The first of the names that is there. */
export const present = (source: Source, names: ReadonlyArray<string>): string | undefined =>
  names.find((name) => source.files.has(name))

/** What an interpreter is called with to run a button's code; undefined when the code is missing. */
export const program = (
  { codeFile, directory, inlineCode }: Button,
  runtime: Runtime.CodeRuntime
): ReadonlyArray<string> | undefined => {
  if (inlineCode !== undefined) return [inlineOption[runtime], inlineCode]
  return codeFile === undefined ? undefined : [Paths.resolve(directory, codeFile)]
}

const inlineOption: Readonly<Record<Runtime.CodeRuntime, string>> = {
  shell: "-c",
  bash: "-c",
  python: "-c",
  node: "-e"
}

/** What keeps the file of a button from being used, though it is there. */
export const refused = (source: Source, runtime: Runtime.Runtime): ReadonlyArray<ButtonProblem> => {
  // An older note does not stand in for one that must not be read.
  const name = needed(runtime).find((name) => source.files.has(name) || source.refused?.has(name))
  const message = name === undefined ? undefined : source.refused?.get(name)
  return message === undefined ? [] : [problem(source, name, message)]
}

export const missing = (source: Source, runtime: Runtime.Runtime): ReadonlyArray<ButtonProblem> => {
  const names = needed(runtime)
  if (names.length === 0 || present(source, names) !== undefined) return []
  const content = runtime === "prompt" ? "the prompt" : "the button's code"
  return [problem(source, names[0], `is missing: it holds ${content}`)]
}

const needed = (runtime: Runtime.Runtime): ReadonlyArray<string> => {
  if (runtime === "prompt") return noteFiles
  const file = codeFiles.get(runtime)
  return file === undefined ? [] : [file]
}

const problem = ({ relativeDirectory, slug }: Source, name = "", message: string): ButtonProblem => ({
  slug,
  file: `${relativeDirectory}/${name}`,
  severity: "error",
  message
})
