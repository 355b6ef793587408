/** Collects the body of an answer up to a limit. What was not read is said; no character is cut in two. */
import * as CutMarks from "../internal/cutMarks.js"
import type { CapturedOutput } from "../PressRunner.js"

export interface ResponseBody {
  /** Whether more is wanted. */
  readonly push: (chunk: Uint8Array) => boolean
  /** `contentType` names the encoding; without one it is UTF-8. */
  readonly read: (contentType: string | undefined) => CapturedOutput
}

export const make = (limitBytes: number): ResponseBody => {
  const chunks: Array<Uint8Array> = []
  let kept = 0
  let bytes = 0
  return {
    push: (chunk) => {
      bytes += chunk.length
      const part = chunk.subarray(0, limitBytes - kept)
      if (part.length > 0) chunks.push(part)
      kept += part.length
      return bytes <= limitBytes
    },
    read: (contentType) => {
      const decoder = decoderOf(contentType)
      const truncated = bytes > limitBytes
      const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("")
      // Where the body was cut, what is left in the decoder is half a character.
      return truncated
        ? { text: text + CutMarks.cutAfter(kept), bytes, truncated }
        : { text: text + decoder.decode(), bytes, truncated }
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
