/** Collects the body of an answer up to a limit. What was not read is said; no character is cut in two. */
import { Buffer } from "node:buffer"
import * as CutMarks from "../internal/cutMarks.js"
import type { CapturedOutput } from "../PressRunner.js"

export interface ResponseBody {
  /** Whether more is wanted. */
  readonly push: (chunk: Uint8Array) => boolean
  /** `contentType` names the encoding; without one it is UTF-8. */
  readonly read: (contentType: string | undefined) => CapturedOutput
}

export const make = (limitBytes: number): ResponseBody => {
  let content = Buffer.alloc(0)
  let kept = 0
  let bytes = 0
  const keep = (part: Uint8Array): void => {
    if (kept + part.length > content.length) {
      const grown = Buffer.alloc(
        Math.min(limitBytes, Math.max(kept + part.length, content.length * 2, 4_096))
      )
      content.copy(grown, 0, 0, kept)
      content = grown
    }
    content.set(part, kept)
    kept += part.length
  }
  return {
    push: (chunk) => {
      bytes += chunk.length
      keep(chunk.subarray(0, limitBytes - kept))
      return bytes <= limitBytes
    },
    read: (contentType) => {
      const decoder = decoderOf(contentType)
      const truncated = bytes > limitBytes
      // Where the body was cut, what is left in the decoder is half a character.
      const text = decoder.decode(content.subarray(0, kept), { stream: truncated })
      if (!truncated) return { text, bytes, truncated }
      const whole = text + CutMarks.cutAfter(kept)
      return { text: whole, bytes, truncated, cut: { from: text.length, to: whole.length } }
    }
  }
}

const decoderOf = (contentType: string | undefined) => {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? "")?.[1]
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}
