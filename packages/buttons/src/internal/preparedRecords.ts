/**
 * Files that records will be written into, made while their runs go on: to make a file is the dearest part of a record, and
 * whoever waits for a program has the time.
 */
import { randomUUID } from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as RunNames from "./runNames.js"

export interface Unfinished {
  readonly path: string
  readonly descriptor: number
}

interface Preparation {
  readonly turn: NodeJS.Immediate
  made: Unfinished | undefined
}

const ownerOnly = 0o600

/** By what the paths of their files begin with. */
const preparations = new Map<string, Preparation>()

/** A new file beside the record of a run, under a name that no other writer has. Throws the errors of Node. */
export const make = (run: string): Unfinished => {
  const path = `${run}.${randomUUID()}${RunNames.unfinishedEnding}`
  return { path, descriptor: Fs.openSync(path, "wx", ownerOnly) }
}

/** Makes the file in the next turn, when the program runs. */
export const prepare = (run: string): void => {
  const preparation: Preparation = {
    turn: setImmediate(() => {
      try {
        preparation.made = make(run)
      } catch {
        // It is tried again, and told of, when there is a record.
      }
    }),
    made: undefined
  }
  preparations.set(run, preparation)
}

/** The file, for whoever closes it, when it is there and still the empty one that was made. */
export const take = (run: string): Unfinished | undefined => {
  const made = end(run)
  if (made === undefined || isAsMade(made)) return made
  discard(made)
  return undefined
}

/** There is no record to come: the file goes. Never throws. */
export const drop = (run: string): void => {
  const made = end(run)
  if (made !== undefined) discard(made)
}

/** Closes and removes it, but nothing that somebody put in its place. Never throws: what stays is pruned with its run. */
export const discard = (unfinished: Unfinished): void => {
  attempt(() => {
    if (isThere(unfinished)) Fs.unlinkSync(unfinished.path)
  })
  attempt(() => Fs.closeSync(unfinished.descriptor))
}

/** Removes the files of a run whose server has died; what cannot be removed stays. Throws when the folder cannot be read. */
export const clear = (directory: string, name: string): void => {
  for (const file of Fs.readdirSync(directory)) {
    const isLeft = file.endsWith(RunNames.unfinishedEnding) && RunNames.runOf(file) === name
    if (isLeft) attempt(() => Fs.unlinkSync(Path.join(directory, file)))
  }
}

const attempt = (run: () => void): void => {
  try {
    run()
  } catch {
    // It is in the way of nothing.
  }
}

const end = (run: string): Unfinished | undefined => {
  const preparation = preparations.get(run)
  if (preparation === undefined) return undefined
  preparations.delete(run)
  clearImmediate(preparation.turn)
  return preparation.made
}

/** The program that ran meanwhile could have done anything to it. */
const isAsMade = (unfinished: Unfinished): boolean => {
  try {
    const { mode, nlink, size } = Fs.fstatSync(unfinished.descriptor)
    return size === 0 && nlink === 1 && (mode & 0o777) === ownerOnly && isThere(unfinished)
  } catch {
    return false
  }
}

/** Whether the path still leads to the file. Throws the errors of Node. */
const isThere = ({ descriptor, path }: Unfinished): boolean => {
  const own = Fs.fstatSync(descriptor)
  const there = Fs.lstatSync(path, { throwIfNoEntry: false })
  return there?.ino === own.ino && there.dev === own.dev
}
