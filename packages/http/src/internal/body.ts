/** A request body, from chunks to text: counted while it arrives, decoded once when it is whole. */
import { Buffer, isUtf8 } from "node:buffer"
import type { Readable } from "node:stream"
import type { Body } from "./HttpRequest.js"

/** Calls back once; when the body is too large, its rest stays unread. Never when the source ends early. */
export const read = (
  source: Readable,
  declaredBytes: number,
  limitBytes: number,
  done: (body: Body) => void
): void => {
  if (declaredBytes > limitBytes) {
    done(tooLarge)
    return
  }
  let bytes: Buffer = empty
  let length = 0
  const onData = (chunk: Buffer) => {
    if (length + chunk.length > limitBytes) {
      source.off("data", onData).off("end", onEnd).pause()
      return done(tooLarge)
    }
    bytes = length === 0 ? chunk : append(bytes, length, chunk, limitBytes)
    length += chunk.length
  }
  let whole = done
  const onEnd = () => {
    const body = toText(length === bytes.length ? bytes : bytes.subarray(0, length))
    const give = whole
    // The listeners live as long as the exchange, which may be a stream that stays open for days.
    bytes = empty
    whole = ignore
    give(body)
  }
  source.on("data", onData).on("end", onEnd)
}

const ignore = () => {}

const tooLarge: Body = { _tag: "TooLarge" }
const empty = Buffer.alloc(0)

/** A list of chunks would cost a stranger one byte an entry, and this process a hundred. */
const append = (bytes: Buffer, length: number, chunk: Buffer, limitBytes: number): Buffer => {
  const needed = length + chunk.length
  let grown = bytes
  if (needed > bytes.length) {
    grown = Buffer.allocUnsafe(Math.max(needed, Math.min(2 * needed, limitBytes)))
    bytes.copy(grown, 0, 0, length)
  }
  chunk.copy(grown, length)
  return grown
}

/** Replacing what is no UTF-8 would change a tool's arguments in silence. */
const toText = (bytes: Buffer): Body =>
  isUtf8(bytes) ? { _tag: "Text", text: bytes.toString("utf8") } : { _tag: "NotUtf8" }
