/**
 * Scripts with what V8 has made of them: the functions that one start compiled are kept on the disk, and the next start
 * finds them compiled. Node's own compile cache keeps only what is compiled before the script runs, which is little of it.
 */
import * as Fs from "node:fs"
import { basename, join } from "node:path"
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

/** A script begins with a comment that names its content. V8 itself looks at nothing but its length. */
const contentName = /^\/\*([0-9a-f]{32})\*\//

/** Of these a script is compiled as fast as found. */
export const fewCharacters = 16_384

/** The value of the script in a file of ASCII text. */
export const evaluate = (file: string, { folder, onceSettled }: Options): unknown => {
  const source = Fs.readFileSync(file, "latin1")
  const content = contentName.exec(source)?.[1]
  if (folder === undefined || content === undefined || source.length < fewCharacters)
    return new Script(source, { filename: file }).runInThisContext()
  const name = `${process.version}-${process.arch}-${basename(file, ".js")}-${content}`
  const cachedData = read(join(folder, name))
  const script = new Script(source, { filename: file, cachedData })
  const value: unknown = script.runInThisContext()
  if (cachedData === undefined || script.cachedDataRejected === true) {
    let isKept = false
    onceSettled(() => {
      if (!isKept) keep(folder, name, script)
      isKept = true
    })
  }
  return value
}

/** What others may have written is run by nobody: V8 does not check what it is given. */
const read = (path: string): Buffer | undefined => {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = Fs.constants
  try {
    const file = Fs.openSync(path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0))
    try {
      const stats = Fs.fstatSync(file)
      return stats.isFile() && isOurs(stats) ? Fs.readFileSync(file) : undefined
    } finally {
      Fs.closeSync(file)
    }
  } catch {
    return undefined
  }
}

const writableByOthers = 0o022

const isOurs = ({ mode, uid }: Fs.Stats): boolean => {
  const user = process.getuid?.()
  return user === undefined || (uid === user && (mode & writableByOthers) === 0)
}

/** Whole or not at all, a loss of power included. A disk that takes nothing costs the next start some time, and no more. */
const keep = (folder: string, name: string, script: Script): void => {
  const draft = join(folder, `${name}.${process.pid}`)
  try {
    Fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = Fs.openSync(draft, "wx", 0o600)
    try {
      Fs.writeFileSync(file, script.createCachedData())
      Fs.fsyncSync(file)
    } finally {
      Fs.closeSync(file)
    }
    Fs.renameSync(draft, join(folder, name))
    prune(folder)
  } catch {
    removeIfThere(draft)
  }
}

const removeIfThere = (path: string): void => {
  try {
    Fs.rmSync(path, { force: true })
  } catch {
    // It stays: no start looks at it.
  }
}

/** For some versions of this program and of Node. */
export const mostKept = 16

const prune = (folder: string): void => {
  const files = Fs.readdirSync(folder).map((name) => ({
    path: join(folder, name),
    at: Fs.statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  }))
  for (const { path } of files.sort((one, other) => other.at - one.at).slice(mostKept)) {
    Fs.rmSync(path, { force: true })
  }
}
