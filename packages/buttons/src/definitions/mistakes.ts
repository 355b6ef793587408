/** Collects what is wrong with a definitions file, by path, as problems with line and column. */
import type { ButtonProblem, Severity } from "../ButtonProblem.js"
import type { Located, Path, Place } from "./sourceText.js"

export interface Mistakes {
  /** Of the value at a path. */
  readonly at: (path: Path, message: string, severity?: Severity) => void
  /** Of a member's name rather than of its value. */
  readonly atName: (path: Path, message: string) => void
  readonly problems: () => ReadonlyArray<ButtonProblem>
}

/** Whose the problems of a button of the file are: no folder has such a name. */
export const ownerOf = (file: string, slug: string): string => `${file}#${slug}`

export const make = (file: string, located: Located): Mistakes => {
  const found: Array<ButtonProblem> = []
  const add = (place: Place, path: Path, message: string, severity: Severity = "error") => {
    const [section, name] = path
    const slug = section === "buttons" && name !== undefined ? ownerOf(file, String(name)) : file
    found.push({ slug, file, ...place, ...fieldOf(path), severity, message })
  }
  return {
    at: (path, message, severity) => add(located.valueAt(path), path, message, severity),
    atName: (path, message) => add(located.keyAt(path), path, message),
    problems: () =>
      [...found].sort(
        (one, other) => (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0)
      )
  }
}

/** `buttons.greet.args[0].type` */
export const fieldOf = (path: Path): { readonly field?: string } => {
  const field = path.reduce<string>((text, key) => {
    if (typeof key === "number" || /^\d+$/.test(String(key))) return `${text}[${String(key)}]`
    return text === "" ? String(key) : `${text}.${String(key)}`
  }, "")
  return field === "" ? {} : { field }
}

/** The path that a field such as `args[0].type` stands for. */
export const pathOf = (field: string): Path =>
  (field === "" ? [] : field.split(/\.|(?=\[\d+\])/)).map((part) => {
    const index = /^\[(\d+)\]$/.exec(part)?.[1]
    return index === undefined ? part : Number(index)
  })
