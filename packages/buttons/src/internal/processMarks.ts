/** The marks of presses that one process bears, in a variable of its environment. */
import { Buffer } from "node:buffer"
import * as ProcessEnvironment from "./processEnvironment.js"

export const variable = "BUTTONS_PRESS_ID"
/** Between the marks of presses in presses. */
export const separator = ":"

/** Nothing else is looked for: not the empty text, which a variable may well hold. */
export const isId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

/** All that its variables of that name hold, each mark between separators; empty for none. */
export type Marks = string | ProcessEnvironment.Unread

export const includes = (marks: string, id: string): boolean =>
  marks.includes(`${separator}${id}${separator}`)

export const of = (pid: number | string): Marks => {
  const environment = ProcessEnvironment.read(pid)
  if (!ProcessEnvironment.isUnread(environment)) return marksIn(environment)
  // A program that hides its environment cannot be told from those of other users.
  return environment.why === "closed" ? "" : environment
}

const prefix = Buffer.from(`${variable}=`)

const marksIn = (environment: Buffer): string => {
  let marks = ""
  for (let at = environment.indexOf(prefix); at !== -1; at = environment.indexOf(prefix, at + 1)) {
    if (at > 0 && environment[at - 1] !== 0) continue
    const end = environment.indexOf(0, at)
    const value = environment.toString("latin1", at + prefix.length, end === -1 ? environment.length : end)
    marks += `${separator}${value}${separator}`
  }
  return marks
}

/** Whether no process of this number bears the mark, now and in a moment. */
export const isStranger =
  (id: string) =>
  (pid: number): boolean => {
    const marks = of(pid)
    return typeof marks === "string" ? !includes(marks, id) : marks.why === "gone"
  }
