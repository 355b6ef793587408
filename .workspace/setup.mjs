// Set-up work, one run at a time; what goes wrong with the disk is one line, not a stack trace.
import { withLock } from "./lock.mjs"
import { memory } from "./workspace.mjs"

/**
 * Each step tells whether it succeeded, and prints why not. All run, unless one that the others need fails.
 * @param {() => Promise<boolean>} first
 * @param {Array<() => Promise<boolean>>} rest
 */
export const setUp = async (first, ...rest) => {
  try {
    return await withLock(memory, async () => {
      if (!(await first())) return false
      let succeeded = true
      for (const step of rest) succeeded = (await step()) && succeeded
      return succeeded
    })
  } catch (error) {
    console.error(`Could not set up the workspace: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}
