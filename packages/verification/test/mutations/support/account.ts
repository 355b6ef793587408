/** What a peer on a pipe has sent, what it is owed, and what of the answers was wrong. */
import { isObject, type JsonObject, type JsonValue } from "@pushbutton/protocol/Json"
import type { Mutant } from "./generate.js"
import * as Replies from "./replies.js"
import { parse } from "./request.js"

const member = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  value !== undefined && isObject(value) ? value[key] : undefined

const subscriptionId = "io.modelcontextprotocol/subscriptionId"

export class Account {
  readonly problems: Array<string> = []
  readonly owed = new Map<JsonValue, Mutant>()
  /** The methods that were called by an id: mutants may share one. */
  private readonly methods = new Map<JsonValue, Set<string>>()

  sent(mutant: Mutant): void {
    const { hasOwnId, line, sent } = mutant
    if (sent !== undefined) this.calls(sent.id, sent.method)
    if (sent !== undefined && hasOwnId) this.owed.set(sent.id, mutant)
    const cancelled = cancelledBy(line)
    if (cancelled !== undefined) this.owed.delete(cancelled)
  }

  calls(id: JsonValue, method: string): void {
    this.methods.set(id, (this.methods.get(id) ?? new Set()).add(method))
  }

  /** Gives the id of a subscription that is open now. */
  received(text: string): JsonValue | undefined {
    const reply: JsonObject = JSON.parse(text)
    const { id } = reply
    const methods = [...((id === undefined ? undefined : this.methods.get(id)) ?? [undefined])]
    const found = methods.map((method) => Replies.problemOf(reply, method))
    if (!found.includes(undefined)) this.problems.push(`${found[0]}\n${text.slice(0, 2_000)}`)
    if (id !== undefined) this.owed.delete(id)
    if (reply["method"] !== "notifications/subscriptions/acknowledged") return undefined
    const opened = member(member(reply["params"], "_meta"), subscriptionId)
    if (opened !== undefined) this.owed.delete(opened)
    return opened
  }
}

const cancelledBy = (line: Uint8Array): JsonValue | undefined => {
  const message = parse(line)
  if (member(message, "method") !== "notifications/cancelled") return undefined
  return member(member(message, "params"), "requestId")
}
