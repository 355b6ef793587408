/**
 * The journal of one opening: a file that grows by a line for each start and each end. What is written is with the system
 * when a function returns, so that it outlives this process, though not a loss of power, which ends every press.
 */
import { Buffer } from "node:buffer"
import { randomUUID } from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Data from "effect/Data"
import type { Run } from "../PressResult.js"
import type { Leader } from "../PressRunner.js"
import * as JournalEntry from "./journalEntry.js"
import * as OwnFolder from "./ownFolder.js"

export const ending = ".jsonl"

/** What has ended is dropped when there is so much. */
const maxBytes = 262_144

export interface JournalFile {
  /** All throw the errors of Node. */
  readonly starting: (run: Run, mark: string | undefined) => void
  readonly started: (runId: string, leader: Leader) => void
  readonly ended: (runId: string) => void
  /** Removes the file when nothing runs. */
  readonly close: () => void
}

interface Open {
  readonly path: string
  readonly descriptor: number
  /** What was written when it was made, and since. */
  readonly firstBytes: number
  bytes: number
}

/** Nothing is made before the first press. `root` is the data folder. */
export const make = (root: string, owner: string): JournalFile => {
  const running = new Map<string, JournalEntry.Entry>()
  let file: Open | undefined

  const discard = ({ descriptor, path }: Open) => {
    Fs.closeSync(descriptor)
    Fs.rmSync(path, { force: true })
  }

  /** A file that tells of all that runs. */
  const open = (): Open => {
    const folder = OwnFolder.makePath(root, OwnFolder.hidden, "running")
    const path = Path.join(folder, `${randomUUID()}${ending}`)
    const descriptor = Fs.openSync(path, "ax", 0o600)
    const text = JournalEntry.entries({ owner, running: [...running.values()] })
    const opened = { path, descriptor, firstBytes: Buffer.byteLength(text), bytes: 0 }
    try {
      write(opened, text)
      return opened
    } catch (error) {
      discard(opened)
      throw error
    }
  }

  /** What `text` says has been done to `running` already. */
  const append = (text: string) => {
    // Somebody may have removed the folder, and the file with it.
    if (file !== undefined && Fs.fstatSync(file.descriptor).nlink === 0) {
      Fs.closeSync(file.descriptor)
      file = undefined
    }
    if (file === undefined) file = open()
    else write(file, text)
  }

  /** The new file is whole before the old one goes: a run that is in both is one run. */
  const compact = () => {
    if (file === undefined || file.bytes < maxBytes + 2 * file.firstBytes) return
    const old = file
    file = open()
    discard(old)
  }

  return {
    starting: (run, mark) => {
      running.set(run.runId, mark === undefined ? { run } : { run, mark })
      append(JournalEntry.starting(run, mark))
    },
    started: (runId, leader) => {
      const entry = running.get(runId)
      if (entry === undefined) return
      running.set(runId, { ...entry, leader })
      append(JournalEntry.started(runId, leader))
    },
    ended: (runId) => {
      if (!running.delete(runId)) return
      append(JournalEntry.ended(runId))
      compact()
    },
    close: () => {
      if (file !== undefined && running.size === 0) discard(file)
    }
  }
}

const write = (file: Open, text: string): void => {
  const bytes = Buffer.from(text, "utf8")
  const written = Fs.writeSync(file.descriptor, bytes)
  file.bytes += written
  if (written < bytes.length) throw new JournalFull({ code: "ENOSPC" })
}

/** Has the form of Node's errors. */
class JournalFull extends Data.TaggedError("JournalFull")<{ readonly code: "ENOSPC" }> {}
