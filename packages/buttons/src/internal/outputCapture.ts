/**
 * Keeps the beginning and the end of a stream of any length in bounded memory. What is left out is said in the text;
 * a code point is never cut in two.
 */
import { Buffer } from "node:buffer"
import type { CapturedOutput } from "../PressRunner.js"
import * as CutMarks from "./cutMarks.js"

export interface OutputCapture {
  readonly push: (chunk: Uint8Array) => void
  readonly read: () => CapturedOutput
}

export const make = (limitBytes: number): OutputCapture => {
  const headLimit = Math.ceil(limitBytes / 2)
  const tailLimit = limitBytes - headLimit
  let head = Buffer.alloc(0)
  let headBytes = 0
  // A ring: the oldest byte is at `bytes - headBytes` modulo its length once it is full.
  let tail: Buffer | undefined
  let bytes = 0

  const pushHead = (chunk: Uint8Array): void => {
    const needed = headBytes + chunk.length
    if (needed > head.length) {
      const grown = Buffer.alloc(Math.min(headLimit, Math.max(needed, head.length * 2, 4_096)))
      head.copy(grown, 0, 0, headBytes)
      head = grown
    }
    head.set(chunk, headBytes)
    headBytes = needed
  }

  const pushTail = (chunk: Uint8Array, offset: number): void => {
    if (tailLimit === 0) return
    tail ??= Buffer.alloc(tailLimit)
    // Only the last `tailLimit` bytes of a long chunk can stay.
    const from = Math.max(0, chunk.length - tailLimit)
    let at = (offset + from) % tailLimit
    const first = chunk.subarray(from, from + tailLimit - at)
    tail.set(first, at)
    at = (at + first.length) % tailLimit
    const rest = chunk.subarray(from + first.length)
    if (rest.length > 0) tail.set(rest, at)
  }

  return {
    push: (chunk) => {
      const forHead = chunk.subarray(0, headLimit - headBytes)
      if (forHead.length > 0) pushHead(forHead)
      const rest = chunk.subarray(forHead.length)
      if (rest.length > 0) pushTail(rest, bytes + forHead.length - headBytes)
      bytes += chunk.length
    },
    read: () => {
      const start = head.subarray(0, headBytes)
      const end = inOrder(tail, bytes - headBytes)
      if (bytes <= limitBytes)
        return { text: Buffer.concat([start, end]).toString("utf8"), bytes, truncated: false }
      const first = start.subarray(0, wholeCodePoints(start))
      const last = end.subarray(continuationBytes(end))
      const mark = CutMarks.leftOut(bytes - first.length - last.length)
      const before = first.toString("utf8")
      return {
        text: before + mark + last.toString("utf8"),
        bytes,
        truncated: true,
        cut: { from: before.length, to: before.length + mark.length }
      }
    }
  }
}

/** The content of the ring, oldest byte first, after `written` bytes went through it. */
const inOrder = (ring: Buffer | undefined, written: number): Buffer => {
  if (ring === undefined) return Buffer.alloc(0)
  if (written <= ring.length) return ring.subarray(0, written)
  const oldest = written % ring.length
  return Buffer.concat([ring.subarray(oldest), ring.subarray(0, oldest)])
}

/** How many bytes remain without a code point that the end cuts in two. */
const wholeCodePoints = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) break
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? bytes.length - back : bytes.length
    }
  }
  return bytes.length
}

/** How many bytes at the beginning belong to a code point that began before. */
const continuationBytes = (bytes: Buffer): number => {
  let count = 0
  while (count < 3 && count < bytes.length && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++
  return count
}
