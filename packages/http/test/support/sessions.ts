/** Sessions that no transport opened. */
import * as TestSession from "@pushbutton/server/testing/TestSession"
import * as Effect from "effect/Effect"
import * as EventStore from "../../src/EventStore.js"
import { Connections } from "../../src/internal/Connections.js"
import { HttpSession } from "../../src/internal/HttpSession.js"
import { SentAway } from "../../src/internal/SentAway.js"

interface Options extends NonNullable<Parameters<typeof TestSession.make>[0]> {
  readonly store?: EventStore.EventStore["Type"]
}

/** A session whose calls do not run. */
export const make = ({ store = EventStore.make(), ...options }: Options = {}): HttpSession => {
  let count = 0
  return new HttpSession("id-1", TestSession.make(options), {
    inFlight: {
      start: () => {},
      cancel: () => false,
      has: () => false,
      size: () => 0,
      drain: () => Effect.void
    },
    store,
    connections: new Connections({ maxUnreadBytes: 1_000_000, run: () => {} }),
    sentAway: new SentAway(),
    hold: () => {},
    release: () => {},
    nextStream: () => count++
  })
}
