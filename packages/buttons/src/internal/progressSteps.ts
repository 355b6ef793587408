/**
 * A button's progress lines as strictly rising numbers. A line with a message only still has to rise, so it moves
 * the number by one where the button counts nothing, and by next to nothing where it does.
 */
import type { Update } from "../PressProgress.js"

export interface Step {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

export interface Steps {
  /** The next line of the button. */
  readonly next: (update: Update) => Step
  /** A sign of life between two lines: it moves the number by next to nothing and repeats what the last line said. */
  readonly beat: (otherwise: string) => Step
}

const nextToNothing = 1e-6

/** For the lines of one press, in order. */
export const make = (): Steps => {
  let last = 0
  let counted = false
  let latest: Pick<Step, "total" | "message"> = {}
  return {
    next: ({ message, progress, total }) => {
      if (progress !== undefined) counted = true
      const rises = progress !== undefined && progress > last
      last = rises ? progress : last + (counted ? nextToNothing : 1)
      const step = {
        progress: last,
        total: total !== undefined && total >= last ? total : undefined,
        message
      }
      latest = { total: step.total ?? latest.total, message: message ?? latest.message }
      return step
    },
    beat: (otherwise) => {
      last += nextToNothing
      const { message = otherwise, total } = latest
      return { progress: last, total: total !== undefined && total >= last ? total : undefined, message }
    }
  }
}
