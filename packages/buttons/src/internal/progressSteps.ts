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

const nextToNothing = 1e-6

/** For the lines of one press, in order. */
export const make = (): ((update: Update) => Step) => {
  let last = 0
  let counted = false
  return ({ message, progress, total }) => {
    if (progress !== undefined) counted = true
    const rises = progress !== undefined && progress > last
    last = rises ? progress : last + (counted ? nextToNothing : 1)
    return { progress: last, total: total !== undefined && total >= last ? total : undefined, message }
  }
}
