/**
 * Writing and reading the files in `pressed/`. Reading goes by the names of runs, which sort by when a run began. What is
 * written is little, and is written at once: a way through other threads takes longer than the system does.
 */
import * as Fs from "node:fs"
import * as FsPromises from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Holding from "./holding.js"
import * as PreparedRecords from "./preparedRecords.js"
import * as RunNames from "./runNames.js"

/** Two streams of 1 MiB, each byte of which may take six in JSON, and arguments. */
const maxRecordBytes = 16_777_216

/**
 * Writes a record, which is there whole or not at all, and gives the open file: `RunSyncing` sees to it that it outlives a
 * loss of power. A run that has its record keeps it. Throws the errors of Node.
 */
export const write = (directory: string, name: string, text: string): number | undefined => {
  const run = Path.join(directory, name)
  const path = `${run}${RunNames.recordEnding}`
  if (isRecorded(path)) return undefined
  // Two servers may record the same run, of a third one that died: each has a file of its own.
  const unfinished = PreparedRecords.take(run) ?? PreparedRecords.make(run)
  try {
    Fs.writeFileSync(unfinished.descriptor, text)
    Fs.renameSync(unfinished.path, path)
    return unfinished.descriptor
  } catch (error) {
    PreparedRecords.discard(unfinished)
    throw error
  }
}

/** What a loss of power left empty is no record. */
const isRecorded = (path: string): boolean => {
  const stats = Fs.lstatSync(path, { throwIfNoEntry: false })
  return stats?.isFile() === true && stats.size > 0
}

/** The newest runs that `decode` accepts; those with names beyond `latest` are older than all others. */
export const read = <A>(
  directory: string,
  limit: number,
  latest: string,
  decode: (text: string) => Option.Option<A>
): Effect.Effect<ReadonlyArray<A>> =>
  Effect.promise(async () => {
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
 * too. Undefined when it cannot be created; a press does without. `directory` makes the folder.
 */
export const openProgress = (
  directory: () => string,
  name: string
): Effect.Effect<string | undefined, never, Scope.Scope> =>
  Effect.map(
    Holding.hold(
      () => openRun(directory, name),
      (run) => {
        if (run !== undefined) closeRun(run)
      }
    ),
    (run) => run && `${run}${RunNames.progressEnding}`
  )

const openRun = (makeDirectory: () => string, name: string): string | undefined => {
  try {
    const directory = makeDirectory()
    const run = Path.join(directory, name)
    if (openRuns.has(run)) return undefined
    const path = `${run}${RunNames.progressEnding}`
    if (!reuse(directory, path)) Fs.closeSync(Fs.openSync(path, "wx", 0o600))
    openRuns.add(run)
    PreparedRecords.prepare(run)
    return run
  } catch {
    return undefined
  }
}

/** Removes what a server that died has left of a record. `makeDirectory` sees that the folder is ours. Never throws. */
export const clearUnfinished = (makeDirectory: () => string, name: string): void => {
  try {
    PreparedRecords.clear(makeDirectory(), name)
  } catch {
    // It is pruned one day.
  }
}

/**
 * Progress files that runs have left empty, by folder. The next run takes one over, for there is nothing in it to keep, and
 * file systems are slow where files are made and removed all the time.
 */
const unused = new Map<string, ReadonlyArray<string>>()
const maxUnused = 32

const reuse = (directory: string, path: string): boolean => {
  const [first, ...rest] = unused.get(directory) ?? []
  if (first === undefined) return false
  if (rest.length === 0) unused.delete(directory)
  else unused.set(directory, rest)
  try {
    if (!isUnused(first)) return false
    Fs.renameSync(first, path)
    return true
  } catch {
    return false
  }
}

const isUnused = (path: string): boolean => {
  const stats = Fs.lstatSync(path, { throwIfNoEntry: false })
  return stats?.isFile() === true && stats.size === 0 && (stats.mode & 0o777) === 0o600
}

const closeRun = (run: string): void => {
  openRuns.delete(run)
  const path = `${run}${RunNames.progressEnding}`
  try {
    PreparedRecords.drop(run)
    if (!isRecorded(`${run}${RunNames.recordEnding}`)) return Fs.rmSync(path, { force: true })
    const directory = Path.dirname(run)
    const others = unused.get(directory) ?? []
    if (others.length < maxUnused && isUnused(path)) unused.set(directory, [...others, path])
  } catch {
    // What cannot be removed is pruned one day.
  }
}

const recordsNewestFirst = async (directory: string, latest: string): Promise<ReadonlyArray<string>> => {
  try {
    const newestFirst = (await FsPromises.readdir(directory))
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
    const stats = await FsPromises.stat(path)
    return stats.isFile() && stats.size <= maxRecordBytes
      ? Option.some(await FsPromises.readFile(path, "utf8"))
      : Option.none()
  } catch {
    return Option.none()
  }
}
