/** The options of `pushbutton stdio`, read without a library: it is started by every client at every launch. */

export interface StdioArguments {
  readonly dir: string | undefined
  readonly definitions: string | undefined
  readonly graceSeconds: number | undefined
  /** Whether clients that begin with `initialize` are refused. */
  readonly modernOnly: boolean
}

/**
 * Undefined for anything but `--dir X`, `--dir=X` (likewise `--definitions` and `--grace`) and `--modern-only`: the
 * command line explains.
 */
export const parse = (argv: ReadonlyArray<string>): StdioArguments | undefined => {
  let dir: string | undefined
  let definitions: string | undefined
  let graceSeconds: number | undefined
  let modernOnly = false
  const left = argv.flatMap((word) => {
    const equals = word.startsWith("--") ? word.indexOf("=") : -1
    return equals === -1 ? [word] : [word.slice(0, equals), word.slice(equals + 1)]
  })
  let at = 0
  while (at < left.length) {
    const name = left[at++]
    if (name === "--modern-only") {
      modernOnly = true
      continue
    }
    const value = left[at++]
    if (value === undefined || value === "" || value.startsWith("--")) return undefined
    if (name === "--dir") {
      dir = value
    } else if (name === "--definitions") {
      definitions = value
    } else if (name === "--grace") {
      graceSeconds = Number(value)
      if (!Number.isFinite(graceSeconds) || graceSeconds < 0) return undefined
    } else {
      return undefined
    }
  }
  return { dir, definitions, graceSeconds, modernOnly }
}
