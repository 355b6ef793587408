/** Collects what is wrong with a definitions file, by path, as problems with line and column. */
import type { ButtonProblem, Severity } from "../ButtonProblem.js"
import type { Located, Path, Place } from "./sourceText.js"

export interface Mistakes {
  /** Of the value at a path. `slug` is that of the button it belongs to. */
  readonly at: (path: Path, message: string, options?: Options) => void
  /** Of a member's name rather than of its value. */
  readonly atName: (path: Path, message: string, options?: Options) => void
  readonly problems: () => ReadonlyArray<ButtonProblem>
}

export interface Options {
  readonly slug?: string
  readonly severity?: Severity
}

export const make = (file: string, located: Located): Mistakes => {
  const found: Array<ButtonProblem> = []
  const add = (
    place: Place,
    path: Path,
    message: string,
    { severity = "error", slug = file }: Options = {}
  ) => void found.push({ slug, file, ...place, ...fieldOf(path), severity, message })
  return {
    at: (path, message, options) => add(located.valueAt(path), path, message, options),
    atName: (path, message, options) => add(located.keyAt(path), path, message, options),
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
