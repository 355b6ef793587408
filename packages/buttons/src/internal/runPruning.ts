/**
 * Which runs are kept. It goes by when a record was written, not by when its run began, so that a long run is not gone
 * as soon as it has ended.
 */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as RunFiles from "./runFiles.js"
import * as RunNames from "./runNames.js"

/**
 * Keeps the runs that were recorded last, those of `latest`, the last of them last, before all others, and removes the
 * rest and what was left of runs before them. Only names of runs are touched, and nothing of a run that this process has
 * open or another may have. What cannot be removed stays until the next time, and is in the way of nothing.
 */
export const prune = async (
  directory: string,
  kept: number,
  latest: ReadonlyArray<string>,
  nowMillis: number
): Promise<void> => {
  try {
    const files = (await Fs.readdir(directory)).filter((file) => RunNames.isRunFile(file))
    if (files.filter(RunNames.isRecord).length < kept) return
    const runs = (await runsOf(directory, files)).sort(lastRecordedFirst(latest, nowMillis))
    const oldestKept = runs.filter(({ hasRecord }) => hasRecord)[kept - 1]
    const surplus = oldestKept === undefined ? [] : runs.slice(runs.indexOf(oldestKept) + 1)
    for (const run of surplus) {
      if (RunFiles.isOpen(directory, run.name) || mayBeRunning(run, nowMillis)) continue
      for (const file of run.files) await remove(Path.join(directory, file))
    }
  } catch {
    // Another server may prune the same folder, or the button was removed.
  }
}

const remove = async (path: string): Promise<void> => {
  try {
    await Fs.rm(path, { force: true })
  } catch {
    // A folder, or a file that may not be removed.
  }
}

interface RunOnDisk {
  readonly name: string
  readonly files: ReadonlyArray<string>
  readonly hasRecord: boolean
  /** When the record was written, or without one what there is. */
  readonly writtenMillis: number
}

const runsOf = async (directory: string, files: ReadonlyArray<string>): Promise<Array<RunOnDisk>> => {
  const written = await Promise.all(files.map((file) => modifiedMillis(Path.join(directory, file))))
  const runs = new Map<string, RunOnDisk>()
  for (const [index, file] of files.entries()) {
    const name = RunNames.runOf(file)
    const one = {
      name,
      files: [file],
      hasRecord: RunNames.isRecord(file),
      writtenMillis: written[index] ?? 0
    }
    const other = runs.get(name)
    runs.set(name, other === undefined ? one : joined(one, other))
  }
  return [...runs.values()]
}

const joined = (one: RunOnDisk, other: RunOnDisk): RunOnDisk => ({
  name: one.name,
  files: [...one.files, ...other.files],
  hasRecord: one.hasRecord || other.hasRecord,
  writtenMillis:
    one.hasRecord === other.hasRecord
      ? Math.max(one.writtenMillis, other.writtenMillis)
      : (one.hasRecord ? one : other).writtenMillis
})

/** How far the clock of a file server may be ahead of ours. */
const skewMillis = 60_000

const isFuture = ({ writtenMillis }: RunOnDisk, nowMillis: number): boolean =>
  writtenMillis > nowMillis + skewMillis

const dayMillis = 86_400_000

/** Another process may have it open: nothing tells, but that it has no record yet and is not old. */
const mayBeRunning = (run: RunOnDisk, nowMillis: number): boolean =>
  !run.hasRecord && !isFuture(run, nowMillis) && run.writtenMillis > nowMillis - dayMillis

/**
 * Whatever seems to come from the future was written before the clock was set back, and so before all that does not.
 * What was written at the same time goes by its name.
 */
const lastRecordedFirst = (latest: ReadonlyArray<string>, nowMillis: number) => {
  const places = new Map(latest.map((name, index) => [name, index]))
  const rank = (run: RunOnDisk) => (places.has(run.name) ? 0 : isFuture(run, nowMillis) ? 2 : 1)
  return (one: RunOnDisk, other: RunOnDisk): number =>
    rank(one) - rank(other) ||
    (places.get(other.name) ?? 0) - (places.get(one.name) ?? 0) ||
    other.writtenMillis - one.writtenMillis ||
    (one.name < other.name ? 1 : -1)
}

/** 0 when there is no such file any more. */
const modifiedMillis = async (path: string): Promise<number> => {
  try {
    return (await Fs.lstat(path)).mtimeMs
  } catch {
    return 0
  }
}
