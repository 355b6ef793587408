/**
 * Log messages to clients: the announcement that requests may ask for them (2026-07-28, logging: MUST), and the level
 * of a session on handshake revisions.
 */
import { decodeSetLevel } from "@pushbutton/protocol/Logging"
import * as Either from "effect/Either"
import { refuse } from "../call.js"
import type { Feature } from "../Feature.js"
import * as Replies from "../reply.js"

export const make = (isOn: boolean): Feature => ({
  isOffered: () => isOn,
  capabilities: { logging: {} },
  modern: {},
  legacy: {
    "logging/setLevel": (route) => {
      const level = decodeSetLevel(route.params)
      if (Either.isLeft(level)) return refuse(route, level.left)
      if (route.session !== undefined) route.session.logLevel = level.right
      return Replies.answer(Replies.result(route.id, {}))
    }
  }
})
