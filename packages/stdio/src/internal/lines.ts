/**
 * Bytes to lines, linear in the size of a line. Bytes are cut at 0x0A only and decoded as whole lines, so a
 * character split over chunks stays whole. A line over the limit is dropped up to its end and reported once.
 */
import { Buffer, isUtf8 } from "node:buffer"

export interface LineSink {
  /** One line without its line feed; a carriage return before it is gone too. */
  readonly line: (text: string) => void
  readonly tooLong: () => void
  /** A line whose bytes are not UTF-8: replacing them would change what was sent. */
  readonly notText: () => void
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

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
    const bytes = dropping ? undefined : whole(parts)
    parts = []
    length = 0
    dropping = false
    if (bytes === undefined) return
    if (isUtf8(bytes)) sink.line(decode(bytes))
    else sink.notText()
  }

  const pushEach = (chunk: Buffer) => {
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

  /** Whole lines are decoded together, unless one of them has to be looked at by itself. */
  const pushWhole = (bytes: Buffer) => {
    if (bytes.length > limitBytes || !isUtf8(bytes)) return pushEach(bytes)
    const text = bytes.toString("utf8")
    let start = 0
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", start)) {
      sink.line(text.slice(start, text.charCodeAt(at - 1) === carriageReturn ? at - 1 : at))
      start = at + 1
    }
  }

  const push = (chunk: Buffer) => {
    const first = length === 0 ? 0 : chunk.indexOf(lineFeed) + 1
    const last = chunk.lastIndexOf(lineFeed) + 1
    if (first > 0) pushEach(chunk.subarray(0, first))
    if (last > first) pushWhole(chunk.subarray(first, last))
    if (last < chunk.length) pushEach(last === 0 ? chunk : chunk.subarray(last))
  }

  return {
    push,
    end: () => {
      if (length > 0) end()
    }
  }
}

const whole = (parts: ReadonlyArray<Buffer>): Buffer => {
  const [only] = parts
  return only !== undefined && parts.length === 1 ? only : Buffer.concat(parts)
}

const decode = (bytes: Buffer): string => {
  const text = bytes.toString("utf8")
  return text.endsWith("\r") ? text.slice(0, -1) : text
}
