/** Sessions that no transport opened. */
import * as TestSession from "@pushbutton/server/testing/TestSession"
import * as Effect from "effect/Effect"
import * as EventStore from "../../src/EventStore.js"
import { HttpSession } from "../../src/internal/HttpSession.js"

type Options = Parameters<typeof TestSession.make>[0]

/** A session whose calls do not run. */
export const make = (options: Options = {}): HttpSession => {
  let count = 0
  return new HttpSession("id-1", TestSession.make(options), {
    inFlight: {
      start: () => {},
      cancel: () => false,
      has: () => false,
      size: () => 0,
      drain: () => Effect.void
    },
    store: EventStore.make(),
    connections: new Set(),
    hold: () => {},
    release: () => {},
    nextStreamName: () => `s${count++}`
  })
}
