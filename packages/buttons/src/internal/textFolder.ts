/** A folder of texts by key, each replaced as a whole. Functions reject with the errors of Node. */
import { randomUUID } from "node:crypto"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as NodeError from "./nodeError.js"

const ending = ".json"
const unfinishedEnding = ".tmp"
/** What is left of a write that a process did not finish, older than any write takes. */
const abandonedAfterMillis = 3_600_000

export const problem: (error: unknown) => string = NodeError.code

const pathOf = (folder: string, key: string): string => Path.join(folder, `${key}${ending}`)

/** Makes the folder, for its owner only. */
export const make = async (folder: string): Promise<void> => {
  await Fs.mkdir(folder, { recursive: true, mode: 0o700 })
}

/** Makes the folder and clears what was left behind in it. */
export const prepare = async (folder: string, now: number): Promise<void> => {
  await make(folder)
  await sweep(folder, now)
}

export const keys = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await Fs.readdir(folder))
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))

/** Keys with when their texts were written; those of a folder that does not exist are none. */
export const list = async (
  folder: string
): Promise<ReadonlyArray<{ readonly id: string; readonly writtenMillis: number }>> => {
  const found = await keys(folder).catch(() => [])
  return Promise.all(
    found.map(async (id) => ({
      id,
      writtenMillis: await Fs.stat(pathOf(folder, id)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0
      )
    }))
  )
}

export const remove = (folder: string, key: string): Promise<void> =>
  Fs.rm(pathOf(folder, key), { force: true })

export const read = async (folder: string, key: string): Promise<string | undefined> => {
  try {
    return await Fs.readFile(pathOf(folder, key), "utf8")
  } catch (error) {
    if (NodeError.code(error) === "ENOENT") return undefined
    throw error
  }
}

/** When it is done, the text is there whole and outlives a loss of power; before, what was there before it. */
export const write = (folder: string, key: string, text: string): Promise<void> =>
  place(folder, key, text, async (unfinished, path) => {
    await Fs.rename(unfinished, path)
    await syncFolder(folder)
  })

/** The same for what need not outlive a loss of power. */
export const writeFleeting = (folder: string, key: string, text: string): Promise<void> =>
  place(folder, key, text, Fs.rename, false)

/** Writes a text where there is none yet; false when there is one. */
export const create = async (folder: string, key: string, text: string): Promise<boolean> => {
  try {
    await place(folder, key, text, async (unfinished, path) => {
      await Fs.link(unfinished, path)
      await Fs.rm(unfinished)
      await syncFolder(folder)
    })
    return true
  } catch (error) {
    if (NodeError.code(error) === "EEXIST") return false
    throw error
  }
}

const place = async (
  folder: string,
  key: string,
  text: string,
  finish: (unfinished: string, path: string) => Promise<void>,
  isDurable = true
): Promise<void> => {
  const path = pathOf(folder, key)
  const unfinished = `${path}.${randomUUID()}${unfinishedEnding}`
  try {
    const file = await Fs.open(unfinished, "wx", 0o600)
    try {
      await file.writeFile(text)
      if (isDurable) await file.sync()
    } finally {
      await file.close()
    }
    await finish(unfinished, path)
  } catch (error) {
    await Fs.rm(unfinished, { force: true })
    throw error
  }
}

/** The new name itself has to outlive a loss of power. Some systems cannot say so of a folder. */
export const syncFolder = async (folder: string): Promise<void> => {
  try {
    const handle = await Fs.open(folder, "r")
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (process.platform !== "win32") throw error
  }
}

/** Clears what was left behind. */
export const sweep = async (folder: string, now: number): Promise<void> => {
  for (const file of await Fs.readdir(folder)) {
    if (!file.endsWith(unfinishedEnding)) continue
    const path = Path.join(folder, file)
    try {
      const { mtimeMs } = await Fs.stat(path)
      if (now - mtimeMs > abandonedAfterMillis) await Fs.rm(path, { force: true })
    } catch {
      // Its writer finished it, or another process was faster.
    }
  }
}
