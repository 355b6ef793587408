/** An `EventStore` as its port asks for it, whatever its author's code does. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { EventStore } from "../EventStore.js"
import type { Run } from "./Run.js"

/** What throws is logged, and keeps and knows nothing. */
export const make = (store: EventStore["Type"], run: Run): EventStore["Type"] => {
  const guard = <A>(step: () => A, otherwise: A): A => {
    try {
      return step()
    } catch (defect) {
      run(Effect.logError("The store of events failed", Cause.die(defect)))
      return otherwise
    }
  }
  return {
    append: (at, message) => guard(() => store.append(at, message), false),
    after: (at) => guard(() => store.after(at), undefined),
    forget: (sessionId) => guard(() => store.forget(sessionId), undefined)
  }
}
