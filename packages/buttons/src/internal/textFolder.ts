/** A folder of texts by key, each replaced as a whole. Functions throw, or reject with, the errors of Node. */
import { randomUUID } from "node:crypto"
import { closeSync, fsync, mkdirSync, openSync, readdirSync, rmSync, statSync } from "node:fs"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { promisify } from "node:util"
import * as NodeError from "./nodeError.js"
import * as OwnFolder from "./ownFolder.js"

const ending = ".json"
const unfinishedEnding = ".tmp"
/** What is left of a write that a process did not finish, older than any write takes. */
const abandonedAfterMillis = 3_600_000

export const problem: (error: unknown) => string = NodeError.code

const pathOf = (folder: string, key: string): string => Path.join(folder, `${key}${ending}`)

/** Makes the folder, for its owner only; one of ours is no link, and stands in none of ours that is. */
export const make = (folder: string): void => {
  const outer = Path.dirname(folder)
  const isInner = Path.basename(outer) === OwnFolder.hidden
  mkdirSync(isInner ? Path.dirname(outer) : outer, { recursive: true, mode: 0o700 })
  if (isInner) OwnFolder.make(outer)
  OwnFolder.make(folder)
}

/** Makes the folder and clears what was left behind in it: at once, for a start waits for it. */
export const prepare = (folder: string, now: number): void => {
  make(folder)
  sweep(folder, now)
}

export const keys = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await Fs.readdir(folder))
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))

/** Keys with how many bytes their texts have. */
export const sizes = async (
  folder: string
): Promise<ReadonlyArray<{ readonly key: string; readonly size: number }>> =>
  Promise.all(
    (await keys(folder)).map(async (key) => ({
      key,
      size: await Fs.stat(pathOf(folder, key)).then(
        ({ size }) => size,
        () => 0
      )
    }))
  )

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

/**
 * Writes a text where there is none yet; false when there is one. When it fails there is none. `link` gives a file a
 * second name; the system's own when left out.
 */
export const create = async (
  folder: string,
  key: string,
  text: string,
  link: (existing: string, path: string) => Promise<void> = Fs.link
): Promise<boolean> => {
  try {
    await place(folder, key, text, async (unfinished, path) => {
      await link(unfinished, path)
      await orRemove(path, async () => {
        await Fs.rm(unfinished)
        await syncFolder(folder)
      })
    })
    return true
  } catch (error) {
    const code = NodeError.code(error)
    if (code === "EEXIST") return false
    if (withoutLinks.has(code)) return createInPlace(folder, key, text)
    throw error
  }
}

/** What file systems say that give a file one name only. */
const withoutLinks: ReadonlySet<string> = new Set(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK"])

/** Whoever reads it at the same time may find a part of it. */
const createInPlace = async (folder: string, key: string, text: string): Promise<boolean> => {
  const path = pathOf(folder, key)
  try {
    const file = await Fs.open(path, "wx", 0o600)
    await orRemove(path, async () => {
      await fill(file, text)
      await syncFolder(folder)
    })
    return true
  } catch (error) {
    if (NodeError.code(error) === "EEXIST") return false
    throw error
  }
}

const orRemove = async (path: string, act: () => Promise<void>): Promise<void> => {
  try {
    await act()
  } catch (error) {
    await Fs.rm(path, { force: true })
    throw error
  }
}

/** Removes a text when it is still this one; false when it is not. Of several at the same time one does. */
export const take = async (folder: string, key: string, text: string): Promise<boolean> => {
  const taken = `${pathOf(folder, key)}.${randomUUID()}${unfinishedEnding}`
  try {
    await Fs.rename(pathOf(folder, key), taken)
  } catch (error) {
    if (NodeError.code(error) === "ENOENT") return false
    throw error
  }
  const found = await Fs.readFile(taken, "utf8")
  // Somebody was faster, and wrote another one: it goes back.
  if (found !== text) await create(folder, key, found)
  await Fs.rm(taken, { force: true })
  return found === text
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
    await writeNew(unfinished, text, { isDurable })
    await finish(unfinished, path)
  } catch (error) {
    await Fs.rm(unfinished, { force: true })
    throw error
  }
}

/** A file that is not there yet. When it is done, a durable one outlives a loss of power, once its folder is synced. */
export const writeNew = async (
  path: string,
  text: string,
  { isDurable = true, mode = 0o600 }: { readonly isDurable?: boolean; readonly mode?: number } = {}
): Promise<void> => fill(await Fs.open(path, "wx", mode), text, isDurable)

const fill = async (file: Fs.FileHandle, text: string, isDurable = true): Promise<void> => {
  try {
    await file.writeFile(text)
    if (isDurable) await file.sync()
  } finally {
    await file.close()
  }
}

const sync = promisify(fsync)

/** The new name itself has to outlive a loss of power. Some systems cannot say so of a folder. */
export const syncFolder = async (folder: string): Promise<void> => {
  try {
    const descriptor = openSync(folder, "r")
    try {
      await sync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (process.platform !== "win32") throw error
  }
}

/** Clears what was left behind. */
export const sweep = (folder: string, now: number): void => {
  for (const file of readdirSync(folder)) {
    if (!file.endsWith(unfinishedEnding)) continue
    const path = Path.join(folder, file)
    try {
      const { mtimeMs } = statSync(path)
      if (now - mtimeMs > abandonedAfterMillis) rmSync(path, { force: true })
    } catch {
      // Its writer finished it, or another process was faster.
    }
  }
}
