/**
 * What checking one value may cost. Each reference that is followed and each step of a regular expression takes
 * from it, so a recursive schema or a long text ends the check, not the server's turn.
 */

export class TooCostly extends Error {
  override readonly name = "TooCostly"
}

/** Some tens of milliseconds: the event loop waits for a check. */
const steps = 2_000_000

let left = 0

export const spend = (count: number): void => {
  left -= count
  if (left < 0) throw new TooCostly("checking the value takes too many steps")
}

/** Runs a check with a full budget; undefined when it does not suffice. Checks are synchronous and never nest. */
export const within = <A>(check: () => A): A | undefined => {
  left = steps
  try {
    return check()
  } catch (error) {
    if (error instanceof TooCostly) return undefined
    throw error
  }
}
