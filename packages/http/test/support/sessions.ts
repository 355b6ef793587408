/** Sessions that no transport opened. */
import * as TestSession from "@pushbutton/server/testing/TestSession"
import * as EventStore from "../../src/EventStore.js"
import { HttpSession } from "../../src/internal/HttpSession.js"

type Options = Parameters<typeof TestSession.make>[0]

/** Makes a session for an id; `ended` gets the ids of those that have ended. */
export const make =
  (options: Options = {}, ended: Array<string> = []) =>
  (id: string): HttpSession => {
    return new HttpSession(id, TestSession.make(options), {
      store: { ...EventStore.make(), forget: () => void ended.push(id) },
      nextName: () => "s",
      connections: new Set(),
      open: new Set(),
      cancel: () => {},
      hold: () => {},
      release: () => {}
    })
  }
