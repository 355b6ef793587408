/**
 * Bytes to lines, linear in the size of a line. Bytes are cut at 0x0A only and decoded as whole lines, so a
 * character split over chunks stays whole. A line over the limit is dropped up to its end and reported once.
 */
import { Buffer } from "node:buffer"

export interface LineSink {
  /** One line without its line feed; a carriage return before it is gone too. */
  readonly line: (text: string) => void
  readonly tooLong: () => void
}

const lineFeed = 0x0a

export interface Splitter {
  readonly push: (chunk: Buffer) => void
  /** The input has ended: what stands after the last line feed is a line too. */
  readonly end: () => void
}

export const splitter = (limitBytes: number, sink: LineSink): Splitter => {
  let parts: Array<Buffer> = []
  let length = 0
  let dropping = false

  const keep = (part: Buffer) => {
    if (dropping || part.length === 0) return
    length += part.length
    if (length <= limitBytes) {
      parts.push(part)
      return
    }
    dropping = true
    parts = []
    sink.tooLong()
  }

  const end = () => {
    const line = dropping ? undefined : decode(parts)
    parts = []
    length = 0
    dropping = false
    if (line !== undefined) sink.line(line)
  }

  const push = (chunk: Buffer) => {
    let start = 0
    let at = chunk.indexOf(lineFeed)
    while (at !== -1) {
      keep(chunk.subarray(start, at))
      end()
      start = at + 1
      at = chunk.indexOf(lineFeed, start)
    }
    if (start < chunk.length) keep(chunk.subarray(start))
  }

  return {
    push,
    end: () => {
      if (length > 0) end()
    }
  }
}

const decode = (parts: ReadonlyArray<Buffer>): string => {
  const [only] = parts
  const text =
    only !== undefined && parts.length === 1 ? only.toString("utf8") : Buffer.concat(parts).toString("utf8")
  return text.endsWith("\r") ? text.slice(0, -1) : text
}
