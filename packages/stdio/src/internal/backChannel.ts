/** What a legacy session is told beside its requests, taken from it as the reader takes it from the pipe. */
import type { LegacySession } from "@pushbutton/server/LegacySession"
import type { Writer } from "./writer.js"

/** Gives the function that ends it. */
export const attach = (session: LegacySession, writer: Writer): (() => void) => {
  let isWaiting = false

  const pump = () => {
    while (!writer.isBlocked()) {
      const message = session.take()
      if (message === undefined) return
      writer.push(message)
    }
    if (isWaiting) return
    isWaiting = true
    writer.onKeptUp(() => {
      isWaiting = false
      pump()
    })
  }

  return session.attach({ wake: pump })
}
