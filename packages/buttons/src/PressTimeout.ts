/** How long a press may run, in seconds. */
import type { Caller } from "./PressResult.js"

export const defaultTimeoutSeconds = 300
/** For a call that is waited for; a task may be given more. */
export const maxMcpTimeoutSeconds = 120

/**
 * The request's when it is above 0, else the button's, else 300; never more than the limit, which is 120 over MCP unless
 * one is given.
 */
export const timeoutSeconds = (
  requested: number | undefined,
  own: number | undefined,
  caller: Caller,
  limit: number = caller === "mcp" ? maxMcpTimeoutSeconds : Number.POSITIVE_INFINITY
): number => {
  const wanted =
    [requested, own].find((seconds) => seconds !== undefined && seconds > 0) ?? defaultTimeoutSeconds
  return Math.min(wanted, limit)
}
