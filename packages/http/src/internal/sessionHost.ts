/** What the sessions of one server need of it. */
import type { EventStore } from "../EventStore.js"
import type { Host } from "./HttpSession.js"
import * as Shared from "./Shared.js"

export interface Options extends Pick<Shared.Shared, "inFlight" | "run" | "sessions" | "streams"> {
  readonly store: EventStore["Type"]
}

export const make = ({ inFlight, run, sessions, store, streams }: Options): Host => {
  let streamCount = 0
  return {
    store,
    nextName: () => `s${(streamCount++).toString(36)}`,
    connections: streams,
    open: new Set(),
    cancel: (key) => void inFlight.cancel(key),
    hold: (id) => run(sessions.hold(id), Shared.ignore),
    release: (id) => run(sessions.release(id), Shared.ignore)
  }
}
