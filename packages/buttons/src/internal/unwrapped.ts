/** A text without its line breaks: tools wrap what they encode, and a long secret is no less one for that. */
import type { Span } from "./textSearch.js"

export interface Unwrapped {
  readonly text: string
  /** Where a span of it stands in the text as it was, line breaks included. */
  readonly spanOf: (span: Span) => Span
}

export const of = (text: string): Unwrapped => {
  let joined = ""
  /** Where each line begins, in the joined text and in the text as it was. */
  const lines: Array<readonly [joined: number, original: number]> = []
  for (let start = 0; start <= text.length; ) {
    const feed = text.indexOf("\n", start)
    const end = feed === -1 ? text.length : feed
    lines.push([joined.length, start])
    joined += text.slice(start, text.charCodeAt(end - 1) === carriageReturn ? Math.max(start, end - 1) : end)
    if (feed === -1) break
    start = feed + 1
  }
  const originalOf = (at: number): number => {
    let low = 0
    let high = lines.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((lines[middle]?.[0] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    const [from, original] = lines[low] ?? [0, 0]
    return original + at - from
  }
  return {
    text: joined,
    spanOf: ({ from, to }) => ({ from: originalOf(from), to: originalOf(to - 1) + 1 })
  }
}

const carriageReturn = 0x0d
