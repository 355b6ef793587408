/** The process's stderr, whose reader may go without taking the process with it. */

let guarded = false

export const stderr = (): NodeJS.WriteStream => {
  if (!guarded) {
    guarded = true
    // A broken pipe is reported as an error event, and one that nobody listens for ends the process.
    process.stderr.on("error", () => {})
  }
  return process.stderr
}
