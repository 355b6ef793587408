/**
 * Says when a folder of folders may have changed: something came, went or was written in it or in one of its folders.
 * It only says so; whoever hears it looks. Files are never watched, so that an editor that writes a new file and
 * renames it is seen like any other.
 */
import * as Fs from "node:fs"
import * as FsPromises from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as FileIdentity from "./fileIdentity.js"

/** Begins to watch one folder and gives the function that stops it; throws where that is not possible. */
export type WatchFolder = (
  folder: string,
  /** With the name of what it was, where the system says so. */
  onEvent: (name: string | undefined) => void,
  onError: () => void
) => () => void

export interface Options {
  readonly folder: string
  /** Whether what happens in the folders of the folder counts too; deeper ones never do. */
  readonly deep: boolean
  /** Whether something of that name counts, in the folder itself or in one of its folders; all do when left out. */
  readonly counts?: ((name: string, isInside: boolean) => boolean) | undefined
  /** A file in it whose content counts, wherever links lead to it. */
  readonly file?: string | undefined
  /** How often to look where the system tells nothing; half a second when left out. */
  readonly pollMillis?: number | undefined
  /** The system's own when left out. */
  readonly watchFolder?: WatchFolder | undefined
  /** The type of the file system that a folder is on (statfs); what the system says when left out. */
  readonly fileSystemType?: ((folder: string) => Promise<number>) | undefined
}

export interface FolderWatch {
  /** Watches the folders that are there by now. To be run before each look, so that nothing falls between the two. */
  readonly refresh: Effect.Effect<void>
}

const defaultPollMillis = 500

/** One look in so many is made although nothing was told: some file systems tell nothing and do not say so. */
const unaskedEvery = 20

/** Calls `signal` until the scope closes. Nothing of it keeps the process alive. */
export const make = (options: Options, signal: () => void): Effect.Effect<FolderWatch, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => start(options, signal)),
    ({ stop }) => Effect.sync(stop)
  )

interface Watched {
  /** Of the folder that was there when the watch began: another one may have its name now. */
  readonly identity: string
  readonly stop: () => void
}

const start = (
  {
    counts = () => true,
    deep,
    file,
    fileSystemType = systemType,
    folder,
    pollMillis = defaultPollMillis,
    watchFolder = systemWatch
  }: Options,
  signal: () => void
): FolderWatch & { readonly stop: () => void } => {
  const watched = new Map<string, Watched>()
  let isComplete = false
  let isStopped = false
  let isLooking = false
  let looks = 0
  let seenFile: string | undefined

  const drop = (path: string) => {
    watched.get(path)?.stop()
    watched.delete(path)
  }
  const add = (path: string, identity: string) => {
    const failed = () => {
      // The folder may have been replaced and be watched anew by then.
      if (watched.get(path)?.identity !== identity) return
      drop(path)
      isComplete = false
      signal()
    }
    try {
      const happened = (name: string | undefined) => {
        if (name === undefined || counts(name, path !== folder)) signal()
      }
      watched.set(path, { identity, stop: watchFolder(path, happened, failed) })
    } catch {
      isComplete = false
    }
  }
  const keep = async (path: string) => {
    const identity = await identityOf(path)
    if (isStopped || watched.get(path)?.identity === identity) return
    drop(path)
    if (identity === undefined) isComplete = false
    else add(path, identity)
  }

  const refresh = async () => {
    isComplete = !silent.has(await fileSystemType(folder))
    seenFile = await fileIdentity(file)
    await keep(folder)
    if (!deep) return
    const paths = await foldersIn(folder)
    for (const path of watched.keys()) if (path !== folder && !paths.has(path)) drop(path)
    for (const path of paths) await keep(path)
  }
  const look = async () => {
    looks++
    if (!isComplete || looks % unaskedEvery === 0) return signal()
    // A disk that does not answer is asked once.
    if (isLooking) return
    isLooking = true
    // A folder above this one that was renamed tells nothing, nor does a file that a link leads to.
    const found = [await identityOf(folder), await fileIdentity(file)]
    isLooking = false
    if (isStopped) return
    if (found[0] !== watched.get(folder)?.identity || found[1] !== seenFile) signal()
  }
  const timer = setInterval(() => void look(), pollMillis)
  timer.unref()

  return {
    refresh: Effect.promise(refresh),
    stop: () => {
      isStopped = true
      clearInterval(timer)
      for (const path of [...watched.keys()]) drop(path)
    }
  }
}

/**
 * File systems that tell nothing of what another machine, or the host of a virtual one, changes: NFS, SMB, CIFS, 9P,
 * FUSE and what is built on it, VirtualBox folders, Ceph, AFS (types of Linux).
 */
const silent: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x01021997, 0x65735546, 0x786f4256, 0x00c36400, 0x5346414f
])

/** 0 for a folder that is not there. */
const systemType = async (folder: string): Promise<number> => {
  try {
    return (await FsPromises.statfs(folder)).type
  } catch {
    return 0
  }
}

const systemWatch: WatchFolder = (folder, onEvent, onError) => {
  const watcher = Fs.watch(folder, { persistent: false }, (_, name) => onEvent(name ?? undefined))
  watcher.on("error", onError)
  return () => watcher.close()
}

const fileIdentity = async (file: string | undefined) =>
  file === undefined ? undefined : FileIdentity.of(file)

/** Undefined when no folder is there. */
const identityOf = async (path: string): Promise<string | undefined> => {
  try {
    const stats = await FsPromises.stat(path, { bigint: true })
    return stats.isDirectory() ? `${stats.dev}:${stats.ino}` : undefined
  } catch {
    return undefined
  }
}

const foldersIn = async (folder: string): Promise<ReadonlySet<string>> => {
  try {
    const entries = await FsPromises.readdir(folder, { withFileTypes: true })
    return new Set(
      entries
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
        .map(({ name }) => Path.join(folder, name))
    )
  } catch {
    return new Set()
  }
}
