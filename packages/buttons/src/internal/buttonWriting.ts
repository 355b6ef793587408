/** Writing button folders: each appears whole or not at all, and only its owner can read it. */
import { randomUUID } from "node:crypto"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import type { DataDir } from "../DataDir.js"
import type { NewFile } from "../NewButton.js"
import * as NodeError from "./nodeError.js"
import * as TextFolder from "./textFolder.js"

/** Hidden, so that nobody takes it for a button. */
const unfinishedStart = ".new-"
/** Longer than any folder takes to build. */
const abandonedAfterMillis = 3_600_000

/** False when there is something of that name already. Rejects with the errors of Node. */
export const create = async (
  { buttons, root }: DataDir,
  slug: string,
  files: ReadonlyArray<NewFile>,
  nowMillis: number
): Promise<boolean> => {
  const target = Path.join(buttons, slug)
  if ((await exists(target)) || (buttons !== root && (await exists(Path.join(root, "drawers", slug))))) {
    return false
  }
  await Fs.mkdir(buttons, { recursive: true, mode: 0o700 })
  await removeAbandoned(buttons, (name) => name.startsWith(unfinishedStart), nowMillis)
  const unfinished = Path.join(buttons, `${unfinishedStart}${randomUUID()}`)
  try {
    await build(unfinished, files)
    await Fs.rename(unfinished, target)
  } catch (error) {
    await Fs.rm(unfinished, { recursive: true, force: true })
    if (taken.has(NodeError.code(error))) return false
    throw error
  }
  await TextFolder.syncFolder(buttons)
  return true
}

/** What renaming a folder says of another one that is not empty, and of a file. */
const taken: ReadonlySet<string> = new Set(["EEXIST", "ENOTEMPTY", "ENOTDIR"])

const build = async (folder: string, files: ReadonlyArray<NewFile>): Promise<void> => {
  await Fs.mkdir(folder, { mode: 0o700 })
  await Fs.mkdir(Path.join(folder, "pressed"), { mode: 0o700 })
  for (const { isCode, name, text } of files) {
    await TextFolder.writeNew(Path.join(folder, name), text, { mode: isCode ? 0o700 : 0o600 })
  }
  await TextFolder.syncFolder(folder)
}

/** How many folders there are that may be buttons. */
export const count = async ({ buttons }: DataDir): Promise<number> => {
  try {
    return (await Fs.readdir(buttons)).filter((name) => !name.startsWith(".")).length
  } catch (error) {
    if (NodeError.code(error) === "ENOENT") return 0
    throw error
  }
}

/** What processes that did not end well have left in a folder. */
const removeAbandoned = async (
  folder: string,
  isUnfinished: (name: string) => boolean,
  nowMillis: number
): Promise<void> => {
  for (const name of await Fs.readdir(folder)) {
    if (!isUnfinished(name)) continue
    const path = Path.join(folder, name)
    const stats = await Fs.lstat(path).catch(() => undefined)
    if (stats !== undefined && nowMillis - stats.mtimeMs > abandonedAfterMillis) {
      await Fs.rm(path, { recursive: true, force: true })
    }
  }
}

const exists = async (path: string): Promise<boolean> => {
  try {
    await Fs.lstat(path)
    return true
  } catch (error) {
    if (NodeError.code(error) === "ENOENT") return false
    throw error
  }
}

const unfinishedDefinition = /^\.button\.json\..+\.tmp$/

/**
 * Replaces the text of a definition when it is still `before`; false when somebody else has changed it. A link stays
 * one: what it leads to is replaced. The file keeps its mode, and whose it is.
 */
export const replace = async (
  { buttons }: DataDir,
  slug: string,
  before: string,
  after: string,
  nowMillis: number
): Promise<boolean> => {
  const path = await Fs.realpath(Path.join(buttons, slug, "button.json"))
  const { gid, mode, uid } = await Fs.stat(path)
  const folder = Path.dirname(path)
  await removeAbandoned(folder, (name) => unfinishedDefinition.test(name), nowMillis)
  const unfinished = Path.join(folder, `.button.json.${randomUUID()}.tmp`)
  try {
    await TextFolder.writeNew(unfinished, after)
    const made = await Fs.stat(unfinished)
    if (made.uid !== uid || made.gid !== gid) await Fs.chown(unfinished, uid, gid)
    await Fs.chmod(unfinished, mode & 0o777)
    const current = await Fs.readFile(path, "utf8")
    if (current !== before && current !== `\uFEFF${before}`) return false
    await Fs.rename(unfinished, path)
  } finally {
    await Fs.rm(unfinished, { force: true })
  }
  await TextFolder.syncFolder(folder)
  return true
}
