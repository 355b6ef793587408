/** The files in `pressed/`. Names of runs sort by time, which is what pruning and reading go by. */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as NodeError from "./nodeError.js"

const recordEnding = ".json"
const progressEnding = ".progress.jsonl"
/** Never `.json`: every such file is read as a run. */
const unfinishedEnding = ".json.tmp"

/** Two streams of 1 MiB, each byte of which may take six in JSON, and arguments. */
const maxRecordBytes = 16_777_216

/** Fails with the code of what went wrong. */
export const write = (
  buttons: string,
  slug: string,
  name: string,
  text: string
): Effect.Effect<void, string> =>
  Effect.tryPromise({
    try: async () => {
      const directory = await makeDirectory(buttons, slug)
      const unfinished = Path.join(directory, `${name}${unfinishedEnding}`)
      try {
        await writeDurably(unfinished, text)
        await Fs.rename(unfinished, Path.join(directory, `${name}${recordEnding}`))
      } catch (error) {
        await Fs.rm(unfinished, { force: true })
        throw error
      }
    },
    catch: NodeError.code
  })

/**
 * Keeps the newest runs, and removes what belongs to no kept run and is older. Only names of runs are touched. What
 * cannot be removed stays until the next time.
 */
export const prune = (buttons: string, slug: string, kept: number): Effect.Effect<void> =>
  Effect.promise(async () => {
    try {
      const directory = Path.join(buttons, slug, "pressed")
      const files = (await Fs.readdir(directory)).filter((file) => runFile.test(file))
      const records = files.filter((file) => file.endsWith(recordEnding))
      const oldestKept = records.map(runOf).sort().at(-kept)
      if (oldestKept === undefined) return
      for (const file of files) {
        if (runOf(file) < oldestKept) await Fs.rm(Path.join(directory, file), { force: true })
      }
    } catch {
      // Another server may prune the same folder, or the button was removed.
    }
  })

/** The newest runs that `decode` accepts. */
export const read = <A>(
  buttons: string,
  slug: string,
  limit: number,
  decode: (text: string) => Option.Option<A>
): Effect.Effect<ReadonlyArray<A>> =>
  Effect.promise(async () => {
    const directory = Path.join(buttons, slug, "pressed")
    const found: Array<A> = []
    for (const file of await recordsNewestFirst(directory)) {
      if (found.length >= limit) break
      const decoded = Option.flatMap(await readBounded(Path.join(directory, file)), decode)
      if (Option.isSome(decoded)) found.push(decoded.value)
    }
    return found
  })

/** Undefined when the file cannot be created; a press does without. */
export const createProgress = (
  buttons: string,
  slug: string,
  name: string
): Effect.Effect<string | undefined> =>
  Effect.promise(async () => {
    try {
      const path = Path.join(await makeDirectory(buttons, slug), `${name}${progressEnding}`)
      await (await Fs.open(path, "wx", 0o600)).close()
      return path
    } catch {
      return undefined
    }
  })

const runFile = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d.*(?:\.json|\.progress\.jsonl|\.json\.tmp)$/

/** Without endings, so that a name without milliseconds sorts before those with. */
const runOf = (file: string): string => file.replace(/(?:\.progress\.jsonl|\.json\.tmp|\.json)$/, "")

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

const recordsNewestFirst = async (directory: string): Promise<ReadonlyArray<string>> => {
  try {
    const files = await Fs.readdir(directory)
    return files
      .filter((file) => file.endsWith(recordEnding))
      .sort((one, other) => (runOf(one) < runOf(other) ? 1 : -1))
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
