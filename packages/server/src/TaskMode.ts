/**
 * Whether calls of a tool become tasks (2026-07-28, Tasks extension): the client gets a handle and asks later. They do
 * so only for clients that declare the extension with the call.
 */
import type * as Duration from "effect/Duration"

export type TaskMode =
  /** Calls are answered with their result. */
  | "never"
  /** Calls become tasks at once; a client without the extension waits for the result, as does one beyond the limits. */
  | "always"
  /** Calls become tasks when the handler says so, with `Tasks.detach`. */
  | "detach"
  /** Calls become tasks at once; a client without the extension is refused. */
  | { readonly required: true }
  /** Calls that are not answered by then become tasks; the work goes on where it is. */
  | { readonly after: Duration.DurationInput }
