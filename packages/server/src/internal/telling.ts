/** How progress goes out at the moment it is reported, kept in the request context. */
import type { Sending } from "../Decision.js"
import type { ProgressUpdate } from "../RequestContext.js"

/** Not for authors: `Progress.report`. */
export const telling: unique symbol = Symbol("@pushbutton/server/telling")

export interface MayTell {
  /** Takes the time in milliseconds. Missing where progress goes another way than to the client of the request. */
  readonly [telling]?: ((update: ProgressUpdate, now: number) => Sending) | undefined
}
