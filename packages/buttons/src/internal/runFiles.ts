/** Writing and reading the files in `pressed/`. Reading goes by the names of runs, which sort by when a run began. */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as NodeError from "./nodeError.js"
import * as RunNames from "./runNames.js"
import * as TextFolder from "./textFolder.js"

/** Two streams of 1 MiB, each byte of which may take six in JSON, and arguments. */
const maxRecordBytes = 16_777_216

/** A run that has its record keeps it. Fails with the code of what went wrong. */
export const write = (
  buttons: string,
  slug: string,
  name: string,
  text: string
): Effect.Effect<void, string> =>
  Effect.tryPromise({
    try: async () => {
      const directory = await makeDirectory(buttons, slug)
      const path = Path.join(directory, `${name}${RunNames.recordEnding}`)
      if (await isFile(path)) return
      const unfinished = Path.join(directory, `${name}${RunNames.unfinishedEnding}`)
      try {
        await writeDurably(unfinished, text)
        await Fs.rename(unfinished, path)
        await TextFolder.syncFolder(directory)
      } catch (error) {
        await Fs.rm(unfinished, { force: true })
        throw error
      }
    },
    catch: NodeError.code
  })

/** The newest runs that `decode` accepts; those with names beyond `latest` are older than all others. */
export const read = <A>(
  buttons: string,
  slug: string,
  limit: number,
  latest: string,
  decode: (text: string) => Option.Option<A>
): Effect.Effect<ReadonlyArray<A>> =>
  Effect.promise(async () => {
    const directory = Path.join(buttons, slug, "pressed")
    const found: Array<A> = []
    for (const file of await recordsNewestFirst(directory, latest)) {
      if (found.length >= limit) break
      const decoded = Option.flatMap(await readBounded(Path.join(directory, file)), decode)
      if (Option.isSome(decoded)) found.push(decoded.value)
    }
    return found
  })

/** Runs of this process that have not ended, by what the paths of their files begin with. */
const openRuns = new Set<string>()

export const isOpen = (directory: string, name: string): boolean => openRuns.has(Path.join(directory, name))

/**
 * Creates the progress file of a run, which is open until the scope closes. Without a record by then, the file goes
 * too. Undefined when it cannot be created; a press does without.
 */
export const openProgress = (
  buttons: string,
  slug: string,
  name: string
): Effect.Effect<string | undefined, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const run = Path.join(buttons, slug, "pressed", name)
      if (openRuns.has(run)) return undefined
      openRuns.add(run)
      try {
        await makeDirectory(buttons, slug)
        await (await Fs.open(`${run}${RunNames.progressEnding}`, "wx", 0o600)).close()
        return run
      } catch {
        openRuns.delete(run)
        return undefined
      }
    }),
    (run) => (run === undefined ? Effect.void : Effect.promise(() => closeRun(run)))
  ).pipe(Effect.map((run) => run && `${run}${RunNames.progressEnding}`))

const closeRun = async (run: string): Promise<void> => {
  try {
    if (!(await isFile(`${run}${RunNames.recordEnding}`)))
      await Fs.rm(`${run}${RunNames.progressEnding}`, { force: true })
  } catch {
    // What cannot be removed is pruned one day.
  }
  openRuns.delete(run)
}

const isFile = async (path: string): Promise<boolean> => {
  try {
    return (await Fs.lstat(path)).isFile()
  } catch {
    return false
  }
}

const writeDurably = async (path: string, text: string): Promise<void> => {
  const handle = await Fs.open(path, "wx", 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The button's own folder is not created: it may have been removed while the button ran. */
const makeDirectory = async (buttons: string, slug: string): Promise<string> => {
  const directory = Path.join(buttons, slug, "pressed")
  try {
    await Fs.mkdir(directory, { mode: 0o700 })
  } catch (error) {
    if (NodeError.code(error) !== "EEXIST") throw error
  }
  return directory
}

const recordsNewestFirst = async (directory: string, latest: string): Promise<ReadonlyArray<string>> => {
  try {
    const newestFirst = (await Fs.readdir(directory))
      .filter(RunNames.isRecord)
      .sort((one, other) => (RunNames.runOf(one) < RunNames.runOf(other) ? 1 : -1))
    const isFuture = (file: string) => RunNames.runOf(file) > latest
    return [...newestFirst.filter((file) => !isFuture(file)), ...newestFirst.filter(isFuture)]
  } catch {
    return []
  }
}

const readBounded = async (path: string): Promise<Option.Option<string>> => {
  try {
    const stats = await Fs.stat(path)
    return stats.isFile() && stats.size <= maxRecordBytes
      ? Option.some(await Fs.readFile(path, "utf8"))
      : Option.none()
  } catch {
    return Option.none()
  }
}
