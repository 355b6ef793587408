/** The responses to a batch of 2025-03-26, until a transport has somewhere to send them. */
import { BatchTooLong } from "@pushbutton/protocol/ProtocolError"
import type { Reply, SingleDecision } from "./Decision.js"

/** What the responses that wait may come to, in UTF-16 units: they become one text, and texts have an end. */
export const maxLength = 67_108_864

export class BatchReplies {
  private readonly limit: number
  private left: number
  private texts: Array<string> = []
  private length = 0

  constructor(decisions: ReadonlyArray<SingleDecision>, limit = maxLength) {
    this.limit = limit
    this.left = decisions.filter(({ _tag }) => _tag === "Reply" || _tag === "Call").length
  }

  /** Whether all of the batch has been answered, or nothing of it is. */
  get isDone(): boolean {
    return this.left === 0
  }

  /**
   * Takes what a decision to reply or to call came to, once; undefined for a call that was cancelled. A result that
   * there is no room for becomes an error that says so.
   */
  settle(decision: SingleDecision, reply: Reply | undefined): void {
    this.left -= 1
    if (reply === undefined) return
    const isTooLong = this.length + reply.text.length > this.limit && decision._tag === "Call"
    const { text } = isTooLong ? decision.call.refuse(new BatchTooLong({ limit: this.limit })) : reply
    this.length += text.length
    this.texts.push(text)
  }

  /** Gives what has come since the last time. */
  take(): ReadonlyArray<string> {
    const { texts } = this
    this.texts = []
    this.length = 0
    return texts
  }
}
