/**
 * The reply to a batch of 2025-03-26: one array of responses, unless something has to go out ahead of them. Then each
 * response is an event of its own, sent as soon as it is there, and the last one ends the stream.
 */
import { LazyStream, type Options } from "./LazyStream.js"
import type { Destination } from "./RunningCalls.js"
import * as Replies from "./replies.js"

/** `awaited` settles end the reply, those of cancelled requests, which have no response, among them. */
export const make = (options: Options, awaited: number): Destination => {
  let left = awaited
  let texts: Array<string> = []

  const lazy = new LazyStream(options, (stream) => {
    for (const text of texts) stream.add(text)
    texts = []
  })

  const end = () => {
    const { accepts, headers, response } = options
    const stream = lazy.finish()
    if (stream !== undefined) stream.end()
    else if (texts.length === 0) Replies.noEvent(response, headers())
    else if (accepts.json) Replies.json(response, 200, headers(), `[${texts.join(",")}]`)
    else Replies.events(response, headers(), texts)
  }

  return {
    outlet: lazy.outlet,
    settle: (reply) => {
      left -= 1
      if (reply !== undefined) {
        if (lazy.opened === undefined) texts.push(reply.text)
        else lazy.opened.add(reply.text)
      }
      if (left === 0) end()
    }
  }
}
