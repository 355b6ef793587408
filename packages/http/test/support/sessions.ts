/** Sessions that no transport opened. */
import * as TestSession from "@pushbutton/server/testing/TestSession"
import * as EventStore from "../../src/EventStore.js"
import { HttpSession } from "../../src/internal/HttpSession.js"

type Options = Parameters<typeof TestSession.make>[0]

/** Makes a session for an id; `ended` gets the ids of those that have ended. */
export const make =
  (options: Options = {}, ended: Array<string> = []) =>
  (id: string): HttpSession => {
    const store = EventStore.make()
    return new HttpSession({
      id,
      session: TestSession.make(options),
      store: { ...store, forget: () => void ended.push(id) },
      nextName: () => "s",
      connections: new Set(),
      cancel: () => {},
      hold: () => {},
      release: () => {}
    })
  }
