/**
 * What a definitions file defines: buttons, resources and prompts. An edit counts as soon as it is saved; one with an error
 * is reported, and what the file defined before stays. The parser is loaded when the first file is read.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import type { Batteries } from "../Batteries.js"
import type { ButtonProblem } from "../ButtonProblem.js"
import type { HttpRunner } from "../http/HttpRunner.js"
import * as Files from "../internal/definitionFiles.js"
import * as FolderWatch from "../internal/folderWatch.js"
import * as Following from "../internal/following.js"
import * as HostFacts from "../internal/hostFacts.js"
import * as Paths from "../internal/paths.js"
import * as SettledFile from "../internal/settledFile.js"
import type { ProcessOptions } from "../Press.js"
import type { PressJournal } from "../PressJournal.js"
import type { PressRunner } from "../PressRunner.js"
import type { RunIds } from "../RunIds.js"
import type { Interpreters } from "../Runtime.js"
import type { DefinedButton } from "./DefinedButton.js"
import type { DefinedPrompt } from "./DefinedPrompt.js"
import type { DefinedResource, Hands } from "./DefinedResource.js"
import * as ResourceCommand from "./ResourceCommand.js"

export interface Defined {
  readonly buttons: ReadonlyArray<DefinedButton>
  readonly resources: ReadonlyArray<DefinedResource>
  readonly prompts: ReadonlyArray<DefinedPrompt>
}

export interface State {
  /** Of the last text without an error; the same object until another one takes its place. */
  readonly defined: Defined
  /** What is wrong with the text as it is. */
  readonly problems: ReadonlyArray<ButtonProblem>
  /** Whose problems agents must not be told of. */
  readonly hidden: ReadonlySet<string>
}

export class Definitions extends Context.Tag("@pushbutton/buttons/Definitions")<
  Definitions,
  {
    /** Whether there is a file, or may be one. */
    readonly isUsed: boolean
    /** Reads the file when it has changed; one that is just being saved is waited for. */
    readonly current: Effect.Effect<State>
    /** Why the code file of a button cannot be run; undefined when it can. */
    readonly codeObstacle: (codeFile: string) => Effect.Effect<string | undefined>
    /**
     * Calls the listener with what is defined, and again after each change of the file, for as long as the scope lives.
     * Completes when the first call has; calls never overlap.
     */
    readonly follow: (
      listener: (state: State) => Effect.Effect<void>
    ) => Effect.Effect<void, never, Scope.Scope>
  }
>() {}

const nothing: Defined = { buttons: [], resources: [], prompts: [] }

const empty: State = { defined: nothing, problems: [], hidden: new Set() }

/** Without a file. */
export const none: Definitions["Type"] = Definitions.of({
  isUsed: false,
  current: Effect.succeed(empty),
  codeObstacle: () => Effect.succeed(undefined),
  follow: (listener) => listener(empty)
})

type Needs = Interpreters | PressRunner | HttpRunner | Batteries | PressJournal | RunIds

/**
 * A path that is relative is relative to this process's working directory. A file that is not there defines nothing, may
 * come later, and is reported. Commands get what this process has to give, as buttons do.
 */
export const makeFile = (
  path: string,
  options: ProcessOptions = {}
): Effect.Effect<Definitions["Type"], never, Needs> =>
  Effect.gen(function* () {
    const run = yield* ResourceCommand.make({ ...options, ...(yield* HostFacts.surroundings(options)) })
    const cwd = yield* HostFacts.workingDirectory
    return make(Paths.resolve(cwd ?? "/", path), { run, readFile: Files.content })
  })

const make = (path: string, hands: Hands): Definitions["Type"] => {
  const file = { name: Paths.basename(path), directory: Paths.dirname(path) }
  let identity: string | undefined
  let state: State = empty
  let revision = 0

  const adopt = (next: State) => {
    state = next
    revision++
  }
  const wrong = (message: string): ButtonProblem => ({
    slug: file.name,
    file: file.name,
    severity: "error",
    message
  })
  const refresh = Effect.gen(function* () {
    if ((yield* Files.identity(path)) === identity) return state
    // The first look waits for nothing.
    const found =
      identity === undefined ? yield* Files.identity(path) : yield* SettledFile.settled(Files.identity(path))
    if (found === undefined || found === identity) return state
    const content = yield* Files.read(path)
    if (Either.isLeft(content)) adopt({ ...empty, problems: [wrong(content.left)] })
    else {
      const { decode } = yield* Effect.promise(() => import("./decodeDefinitions.js"))
      const { defined = state.defined, ...rest } = yield* decode(content.right, file, hands)
      adopt({ ...rest, defined })
    }
    identity = found
    return state
  })
  const current = Effect.unsafeMakeSemaphore(1).withPermits(1)(refresh)
  return Definitions.of({
    isUsed: true,
    current,
    codeObstacle: (codeFile) => Files.codeObstacle(path, codeFile),
    follow: (listener) =>
      Following.follow(
        {
          watch: (signal) => FolderWatch.make({ folder: file.directory, deep: false, file: path }, signal),
          read: current,
          content: () => String(revision)
        },
        listener
      )
  })
}
