/**
 * Files that records will be written into, made while their runs go on: to make a file is the dearest part of a record, and
 * whoever waits for a program has the time.
 */
import { randomUUID } from "node:crypto"
import * as Fs from "node:fs"
import * as RunNames from "./runNames.js"

export interface Unfinished {
  readonly path: string
  readonly descriptor: number
}

interface Preparation {
  readonly turn: NodeJS.Immediate
  made: Unfinished | undefined
}

/** By what the paths of their files begin with. */
const preparations = new Map<string, Preparation>()

/** A new file beside the record of a run, under a name that no other writer has. Throws the errors of Node. */
export const make = (run: string): Unfinished => {
  const path = `${run}.${randomUUID()}${RunNames.unfinishedEnding}`
  return { path, descriptor: Fs.openSync(path, "wx", 0o600) }
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

/** There is no record to come: the file goes. */
export const drop = (run: string): void => {
  const made = end(run)
  if (made !== undefined) discard(made)
}

/** Closes and removes it. */
export const discard = ({ descriptor, path }: Unfinished): void => {
  Fs.closeSync(descriptor)
  Fs.rmSync(path, { force: true })
}

const end = (run: string): Unfinished | undefined => {
  const preparation = preparations.get(run)
  if (preparation === undefined) return undefined
  preparations.delete(run)
  clearImmediate(preparation.turn)
  return preparation.made
}

/** The program that ran meanwhile could have done anything to it. */
const isAsMade = ({ descriptor, path }: Unfinished): boolean => {
  try {
    const own = Fs.fstatSync(descriptor)
    const there = Fs.lstatSync(path, { throwIfNoEntry: false })
    return own.size === 0 && own.nlink === 1 && there?.ino === own.ino && there.dev === own.dev
  } catch {
    return false
  }
}
