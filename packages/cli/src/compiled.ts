/**
 * Scripts with what V8 has made of them: the functions that one start compiled are kept on the disk, and the next start
 * finds them compiled. Node's own compile cache keeps only what is compiled before the script runs, which is little of it.
 */
import { randomUUID } from "node:crypto"
import * as Fs from "node:fs"
import { basename, dirname, join } from "node:path"
import { cachedDataVersionTag } from "node:v8"
import { Script } from "node:vm"

export interface Options {
  /** Where compiled code is kept. Undefined keeps none. */
  readonly folder: string | undefined
  /** Tells when a script has run long enough to be kept: calls back once, or a second time, which does nothing. */
  readonly onceSettled: (keep: () => void) => void
}

/**
 * The folder for it, by the habits of the system; undefined when the user has none, or wants none of this by
 * NODE_DISABLE_COMPILE_CACHE.
 */
export const folderOf = (
  env: Readonly<Record<string, string | undefined>>,
  platform: string
): string | undefined => {
  if (env["NODE_DISABLE_COMPILE_CACHE"]) return undefined
  const home = env["HOME"]
  if (platform === "win32") return env["LOCALAPPDATA"] && join(env["LOCALAPPDATA"], "pushbutton", "Cache")
  if (env["XDG_CACHE_HOME"]?.startsWith("/") === true) return join(env["XDG_CACHE_HOME"], "pushbutton")
  if (home?.startsWith("/") !== true) return undefined
  return join(home, ...(platform === "darwin" ? ["Library", "Caches"] : [".cache"]), "pushbutton")
}

/** A script begins with a comment that names its content, so that versions of it are kept side by side. */
const contentName = /^\/\*([0-9a-f]{32})\*\//

/** Of these a script is compiled as fast as found. */
export const fewCharacters = 16_384

/** The value of the script in a file of ASCII text. */
export const evaluate = (file: string, { folder, onceSettled }: Options): unknown => {
  const text = Fs.readFileSync(file)
  const source = text.toString("latin1")
  const content = contentName.exec(source)?.[1]
  if (folder === undefined || content === undefined || source.length < fewCharacters)
    return new Script(source, { filename: file }).runInThisContext()
  const name = `${process.version}-${process.arch}-${flags()}-${basename(file, ".js")}-${content}`
  const cachedData = read(folder, name, text)
  const script = new Script(source, { filename: file, cachedData })
  const value: unknown = script.runInThisContext()
  if (cachedData === undefined || script.cachedDataRejected === true) {
    let isKept = false
    onceSettled(() => {
      if (!isKept) keep(folder, name, script, source)
      isKept = true
    })
  }
  return value
}

/** V8 takes code only under the flags that it was made under. Its tag for them costs 2 ms, which most starts need not pay. */
const flags = (): string =>
  process.execArgv.length === 0 && !process.env["NODE_OPTIONS"]
    ? "plain"
    : cachedDataVersionTag().toString(16).padStart(8, "0")

/**
 * V8 checks neither the code that it is given nor, but for its length, the text that it belongs to, and crashes by
 * damaged code. So a file has the code twice, and then the text: to compare them costs a fraction of a checksum, whose
 * loop would run in a process that has compiled nothing yet.
 */
const read = (folder: string, name: string, text: Buffer): Buffer | undefined => {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = Fs.constants
  try {
    if (!isOwnFolder(folder)) return undefined
    const file = Fs.openSync(join(folder, name), O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0))
    try {
      const stats = Fs.fstatSync(file)
      const length = (stats.size - text.length) / 2
      if (!stats.isFile() || !isOurs(stats) || !Number.isInteger(length) || length <= 0) return undefined
      const code = Buffer.allocUnsafeSlow(length)
      const isWhole =
        Fs.readSync(file, code, 0, length, 0) === length &&
        holds(file, length, code) &&
        holds(file, length + length, text)
      return isWhole ? code : undefined
    } finally {
      Fs.closeSync(file)
    }
  } catch {
    return undefined
  }
}

const pieceBytes = 65_536

/** Whether the file has these bytes there. */
const holds = (file: number, position: number, bytes: Buffer): boolean => {
  const piece = Buffer.allocUnsafeSlow(pieceBytes)
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const length = Math.min(pieceBytes, bytes.length - at)
    if (Fs.readSync(file, piece, 0, length, position + at) !== length) return false
    if (bytes.compare(piece, 0, length, at, at + length) !== 0) return false
  }
  return true
}

/** What others may have written is run by nobody. */
const writableByOthers = 0o022

const isOurs = (stats: Fs.Stats): boolean =>
  process.getuid === undefined || (isOfUser(stats) && (stats.mode & writableByOthers) === 0)

const isOfUser = ({ uid }: Fs.Stats): boolean => process.getuid === undefined || uid === process.getuid()

/** Not behind a link, where it could be a folder for something else. */
const isOwnFolder = (folder: string): boolean => {
  const stats = Fs.lstatSync(folder, { throwIfNoEntry: false })
  return stats?.isDirectory() === true && isOurs(stats)
}

/** A disk that takes nothing costs the next start some time, and no more. */
const keep = (folder: string, name: string, script: Script, source: string): void => {
  try {
    if (!isMade(folder)) return
    const draft = join(folder, `${name}.${unique()}`)
    const file = Fs.openSync(draft, "wx", 0o600)
    try {
      const code = script.createCachedData()
      write(file, [code, code, Buffer.from(source, "latin1")])
      Fs.renameSync(draft, join(folder, name))
    } catch {
      removeIfThere(draft)
    }
    prune(folder, name)
  } catch {
    // As if none were wanted.
  }
}

/** Makes the folder, if what it would be made in belongs to this user: root may run with the HOME of another. */
const isMade = (folder: string): boolean => {
  if (Fs.lstatSync(folder, { throwIfNoEntry: false }) === undefined) {
    const outer = nearest(dirname(folder))
    if (outer === undefined || !isOfUser(outer)) return false
    Fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  }
  return isOwnFolder(folder)
}

const nearest = (path: string): Fs.Stats | undefined => {
  const stats = Fs.statSync(path, { throwIfNoEntry: false })
  const outer = dirname(path)
  return stats !== undefined || outer === path ? stats : nearest(outer)
}

const write = (file: number, parts: ReadonlyArray<Buffer>): void => {
  try {
    for (const part of parts) Fs.writeFileSync(file, part)
  } finally {
    Fs.closeSync(file)
  }
}

/** The kernel's, where it has one to give: Node would load its own first. */
const unique = (): string => {
  try {
    return Fs.readFileSync("/proc/sys/kernel/random/uuid", "latin1").trim()
  } catch {
    return randomUUID()
  }
}

const removeIfThere = (path: string): void => {
  try {
    Fs.rmSync(path, { force: true })
  } catch {
    // It stays: no start looks at it.
  }
}

/** For two versions of the six bundles, or of Node, or of its flags. */
export const mostKept = 12

/** A draft has an ending. */
const ourNames = /^v\d+\.[\w.+-]*-[0-9a-f]{32}(\.[0-9a-f-]+)?$/

const draftMillis = 60 * 60 * 1_000

/** Removes the oldest, and the drafts of processes that ended while they wrote. Nothing else in the folder is touched. */
const prune = (folder: string, justKept: string): void => {
  const now = Fs.lstatSync(join(folder, justKept)).mtimeMs
  const kept: Array<{ readonly path: string; readonly at: number }> = []
  for (const name of Fs.readdirSync(folder)) {
    const match = ourNames.exec(name)
    if (match === null || name === justKept) continue
    const path = join(folder, name)
    const stats = Fs.lstatSync(path, { throwIfNoEntry: false })
    if (stats?.isFile() !== true || !isOfUser(stats)) continue
    if (match[1] === undefined) kept.push({ path, at: stats.mtimeMs })
    else if (stats.mtimeMs < now - draftMillis) removeIfThere(path)
  }
  for (const { path } of kept.sort((one, other) => other.at - one.at).slice(mostKept - 1)) removeIfThere(path)
}
