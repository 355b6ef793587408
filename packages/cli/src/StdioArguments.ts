/** The options of `pushbutton stdio`, read without a library: it is started by every client at every launch. */

export interface StdioArguments {
  readonly dir: string | undefined
  readonly graceSeconds: number | undefined
}

/** Undefined for anything but the plain forms `--dir X`, `--dir=X` (likewise `--grace`): the command line explains. */
export const parse = (argv: ReadonlyArray<string>): StdioArguments | undefined => {
  let dir: string | undefined
  let graceSeconds: number | undefined
  const left = argv.flatMap((word) => {
    const equals = word.startsWith("--") ? word.indexOf("=") : -1
    return equals === -1 ? [word] : [word.slice(0, equals), word.slice(equals + 1)]
  })
  for (let at = 0; at < left.length; at += 2) {
    const value = left[at + 1]
    if (value === undefined || value === "" || value.startsWith("--")) return undefined
    if (left[at] === "--dir") {
      dir = value
    } else if (left[at] === "--grace") {
      graceSeconds = Number(value)
      if (!Number.isFinite(graceSeconds) || graceSeconds < 0) return undefined
    } else {
      return undefined
    }
  }
  return { dir, graceSeconds }
}
