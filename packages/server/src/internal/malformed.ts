/** What answers what is no message, or none for this peer. */
import type * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import type * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import type { Facts, SingleDecision } from "../Decision.js"
import * as Replies from "./reply.js"

/** One that stands by itself. */
export const decide = ({ error, id }: JsonRpc.Malformed, facts: Facts): SingleDecision =>
  id === undefined ? withoutId(error, facts) : { _tag: "Reply", reply: Replies.error(id, error, "modern") }

/**
 * An error without an id is no message before 2025-11-25 (their schemas). The body of an HTTP refusal may be one in any
 * revision (transports); a line may not.
 */
export const withoutId = (error: ProtocolError.ProtocolError, { header, session }: Facts): SingleDecision =>
  header !== undefined || session === undefined || session.version === "2025-11-25"
    ? { _tag: "Reply", reply: Replies.error(undefined, error, "modern") }
    : { _tag: "Drop", error }
