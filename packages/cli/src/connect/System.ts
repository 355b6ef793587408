/** The facts of the machine that decide where clients keep their configuration. */
import { homedir } from "node:os"

export interface System {
  /** As in `process.platform`; what is neither `darwin` nor `win32` follows the Linux rules. */
  readonly platform: string
  readonly home: string
  /** A variable of the environment; one that is set to nothing counts as unset. */
  readonly variable: (name: string) => string | undefined
}

export const make = (
  platform: string,
  home: string,
  environment: { readonly [name: string]: string | undefined }
): System => ({ platform, home, variable: (name) => environment[name] || undefined })

/** This machine. Read when called, not when loaded. */
export const fromProcess = (): System => make(process.platform, homedir(), process.env)
