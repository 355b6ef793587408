import type { Sending } from "@pushbutton/server/Decision"
import * as Effect from "effect/Effect"

/** Sends, and completes when the stream can take more. */
export const sent = (send: () => Sending): Effect.Effect<void> => Effect.suspend(() => send() ?? Effect.void)
