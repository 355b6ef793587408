/**
 * The environment of a press: a short list of the server's own variables, then the batteries that it requires,
 * what it defines, and its arguments. Nothing else of the server's environment reaches a button.
 */

const inherited: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR"
])

const isInherited = (name: string): boolean => inherited.has(name) || name.startsWith("LC_")

export interface Parts {
  readonly server: Readonly<Record<string, string | undefined>>
  /** By variable name. */
  readonly batteries: Readonly<Record<string, string>>
  readonly button: Readonly<Record<string, string>>
  readonly args: Readonly<Record<string, string>>
  readonly progressPath: string | undefined
}

/** Later parts win. `TERM` is `dumb`, since no terminal is there, unless the button sets it. */
export const make = ({
  args,
  batteries,
  button,
  progressPath,
  server
}: Parts): Readonly<Record<string, string>> => {
  const base: Array<readonly [string, string]> = []
  for (const [name, value] of Object.entries(server)) {
    if (value !== undefined && isInherited(name)) base.push([name, value])
  }
  return {
    ...Object.fromEntries(base),
    TERM: "dumb",
    ...batteries,
    ...button,
    ...args,
    ...(progressPath === undefined ? {} : { BUTTONS_PROGRESS_PATH: progressPath })
  }
}
