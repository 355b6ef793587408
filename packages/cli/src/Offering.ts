/** How a server offers its buttons, whatever carries it. Pure, and without a library: `stdio` starts with it. */

export interface Offering {
  /** The tools for all buttons alike, or a tool for each button. */
  readonly mode: "meta" | "tools"
  /** Whether agents may create buttons, and whether those can be pressed at once. */
  readonly allowCreate: boolean
  readonly enableCreated: boolean
  /** How often a caller may press one button in a minute. */
  readonly rate: number | undefined
  /** How many presses may run at the same time. */
  readonly maxPresses: number | undefined
  /** When a press becomes a task. */
  readonly taskAfterSeconds: number | undefined
}

/** The options that offer the same, as words of a command line. */
export const words = (offering: Offering): ReadonlyArray<string> => [
  ...(offering.mode === "meta" ? [] : ["--mode", offering.mode]),
  ...(offering.allowCreate ? ["--allow-create"] : []),
  ...(offering.enableCreated ? ["--enable-created"] : []),
  ...number("--rate", offering.rate),
  ...number("--max-presses", offering.maxPresses),
  ...number("--task-after", offering.taskAfterSeconds)
]

const number = (name: string, value: number | undefined): ReadonlyArray<string> =>
  value === undefined ? [] : [name, String(value)]

/** Of what is counted: a whole number above 0, as a person writes it. */
export const parseCount = (text: string): number | undefined =>
  /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined

/** 0 or more. */
export const parseSeconds = (text: string): number | undefined => {
  const seconds = Number(text)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}
