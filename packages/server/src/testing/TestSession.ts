/** A legacy session that no client opened, for tests of transports: nothing is told to it. */
import { LegacySession, type Options } from "../LegacySession.js"

/** Of 2025-11-25, with a client that declares nothing, unless the options say otherwise. */
export const make = (options: Partial<Options> = {}): LegacySession =>
  new LegacySession(
    { version: "2025-11-25", clientInfo: { name: "test", version: "1" }, clientCapabilities: {}, ...options },
    { openSession: () => silent }
  )

const silent = {
  subscribe: () => true,
  unsubscribe: () => {},
  take: () => undefined,
  close: () => {}
}
