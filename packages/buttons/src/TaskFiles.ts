/**
 * Tasks as files, so that they outlive the process: one for each, written beside and renamed, in a folder that only
 * the user can read. Several processes may have the folder open; each runs its own tasks.
 */
import * as TaskStore from "@pushbutton/server/TaskStore"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { DataDir } from "./DataDir.js"
import * as HostFacts from "./internal/hostFacts.js"
import * as Opening from "./internal/opening.js"
import * as Paths from "./internal/paths.js"
import * as Folder from "./internal/textFolder.js"

/** Opens the folder, which is made when it is missing. */
export const layer = (
  folder: string,
  options: TaskStore.Options = {}
): Layer.Layer<TaskStore.TaskStore, TaskStore.TaskStoreFailed> =>
  Layer.scoped(TaskStore.TaskStore, open(folder, options))

/** In `.pushbutton/tasks` of a data folder; in memory where there is no folder, or nothing can be written into it. */
export const layerDataDir = (
  { root }: DataDir,
  options: TaskStore.Options = {}
): Layer.Layer<TaskStore.TaskStore> =>
  Layer.scoped(
    TaskStore.TaskStore,
    Effect.flatMap(HostFacts.gather, ({ look }) =>
      look(root) === "none"
        ? TaskStore.makeMemory(options)
        : Effect.catchAll(open(Paths.join(root, ".pushbutton", "tasks"), options), ({ detail }) =>
            Effect.zipRight(
              Effect.logWarning(`Tasks end with this process: ${detail}`),
              TaskStore.makeMemory(options)
            )
          )
    )
  )

export const open = (
  folder: string,
  options: TaskStore.Options = {}
): Effect.Effect<TaskStore.TaskStore["Type"], TaskStore.TaskStoreFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    yield* Effect.try({ try: () => Folder.prepare(folder, now), catch: failure })
    const runner = yield* Effect.acquireRelease(Effect.sync(Opening.enter), (entered) =>
      Effect.sync(() => Opening.leave(entered))
    )
    return yield* TaskStore.fromDriver(driver(folder, runner), options)
  })

const driver = (folder: string, runner: string): TaskStore.Driver => ({
  runner,
  isAlive: (other) => Effect.sync(() => Opening.isAlive(other)),
  read: (key) => attempt(() => Folder.read(folder, key)),
  write: (key, text) => Effect.uninterruptible(attempt(() => Folder.write(folder, key, text))),
  remove: (key) => attempt(() => Folder.remove(folder, key)),
  keys: attempt(() => Folder.sizes(folder))
})

const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, TaskStore.TaskStoreFailed> =>
  Effect.tryPromise({ try: run, catch: failure })

const failure = (error: unknown) => new TaskStore.TaskStoreFailed({ detail: Folder.problem(error) })
