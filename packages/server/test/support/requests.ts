/** Requests of each era, and the parts of their answers that tests look at. */
import type { ProtocolVersion } from "@pushbutton/protocol/ProtocolVersion"
import * as Effect from "effect/Effect"
import { modern, send, session } from "./conversation.js"

export const versions = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const

/** Sends one request in a revision: with metadata, or in a session. */
export const ask = (version: ProtocolVersion, method: string, params: Record<string, unknown> = {}) =>
  version === "2026-07-28"
    ? send({ jsonrpc: "2.0", id: 1, method, params: modern(params) })
    : send({ jsonrpc: "2.0", id: 1, method, params }, { session: session(version) })

/** What came back as JSON of any shape; assertions look into it. */
const body = (version: ProtocolVersion, method: string, params?: Record<string, unknown>) =>
  Effect.map(ask(version, method, params), (answer) => JSON.parse(JSON.stringify(answer?.body ?? {})))

export const resultOf = (version: ProtocolVersion, method: string, params?: Record<string, unknown>) =>
  Effect.map(body(version, method, params), ({ result }) => result)

export const errorOf = (version: ProtocolVersion, method: string, params?: Record<string, unknown>) =>
  Effect.map(body(version, method, params), ({ error }) => error)
