/** What runs a button: the runtime's aliases, its code file, and the interpreter found on the server's PATH. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { RuntimeMissing } from "./ButtonError.js"
import * as PathLookup from "./internal/pathLookup.js"

/** Runtimes that start a process. */
export type CodeRuntime = "shell" | "bash" | "python" | "node"
/** `http` and `prompt` start nothing: the answer of a server, and the button's note, are their output. */
export type Runtime = CodeRuntime | "http" | "prompt"

const aliases: ReadonlyMap<string, Runtime> = new Map([
  ["", "shell"],
  ["sh", "shell"],
  ["shell", "shell"],
  ["bash", "bash"],
  ["python", "python"],
  ["python3", "python"],
  ["node", "node"],
  ["javascript", "node"],
  ["js", "node"],
  ["http", "http"],
  ["prompt", "prompt"]
])

/** Aliases are case-sensitive; undefined for a runtime that does not exist here. */
export const fromAlias = (alias: string): Runtime | undefined => aliases.get(alias)

export const isCode = (runtime: Runtime): runtime is CodeRuntime => runtime !== "http" && runtime !== "prompt"

export const codeFile: Readonly<Record<CodeRuntime, string>> = {
  shell: "main.sh",
  bash: "main.sh",
  python: "main.py",
  node: "main.js"
}

/** Tried in this order; an absolute path is not looked up. */
export const interpreters: Readonly<Record<CodeRuntime, ReadonlyArray<string>>> = {
  shell: ["/bin/sh"],
  bash: ["bash"],
  python: ["python3", "python"],
  node: ["node"]
}

/** Finds the program that runs a button. */
export class Interpreters extends Context.Tag("@pushbutton/buttons/Interpreters")<
  Interpreters,
  {
    /** An absolute path. */
    readonly find: (runtime: CodeRuntime) => Effect.Effect<string, RuntimeMissing>
  }
>() {}

/** Looks on the given PATH at every press, so that a program installed meanwhile is found. */
export const onPath = (path: string | undefined): Interpreters["Type"] =>
  Interpreters.of({
    find: (runtime) =>
      Effect.flatMap(PathLookup.find(interpreters[runtime], path), (found) =>
        found === undefined ? missing(runtime) : Effect.succeed(found)
      )
  })

export const layerTest = (found: Partial<Record<CodeRuntime, string>>): Layer.Layer<Interpreters> =>
  Layer.succeed(
    Interpreters,
    Interpreters.of({
      find: (runtime) => {
        const path = found[runtime]
        return path === undefined ? missing(runtime) : Effect.succeed(path)
      }
    })
  )

const missing = (runtime: CodeRuntime) => new RuntimeMissing({ runtime, interpreters: interpreters[runtime] })
