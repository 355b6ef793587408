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
    let count = 0
    return new HttpSession(id, TestSession.make(options), {
      store: {
        ...store,
        forget: (sessionId) => {
          store.forget(sessionId)
          ended.push(sessionId)
        }
      },
      nextName: () => `s${count++}`,
      connections: new Set(),
      open: new Set(),
      cancel: () => {},
      hold: () => {},
      release: () => {}
    })
  }
