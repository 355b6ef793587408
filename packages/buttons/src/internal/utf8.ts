/** Sizes of texts as UTF-8, without a host encoder. A lone surrogate counts as U+FFFD: three bytes. */

const unitBytes = (text: string, index: number): number => {
  const unit = text.charCodeAt(index)
  if (unit < 0x80) return 1
  if (unit < 0x800) return 2
  return isPair(text, index) ? 4 : 3
}

const isPair = (text: string, index: number): boolean => {
  const high = text.charCodeAt(index)
  const low = text.charCodeAt(index + 1)
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000
}

export const byteLength = (text: string): number => {
  let bytes = 0
  for (let index = 0; index < text.length; index++) {
    const size = unitBytes(text, index)
    bytes += size
    if (size === 4) index++
  }
  return bytes
}

/** The longest prefix of whole code points that fits; the text itself when all of it does. */
export const head = (text: string, limitBytes: number): string => {
  if (text.length * 3 <= limitBytes) return text
  let bytes = 0
  for (let index = 0; index < text.length; index++) {
    const size = unitBytes(text, index)
    bytes += size
    if (bytes > limitBytes) return text.slice(0, index)
    if (size === 4) index++
  }
  return text
}

/** A text shortened for a message, in quotes as JSON writes them. */
export const quote = (text: string): string => JSON.stringify(text.length <= 64 ? text : `${head(text, 60)}…`)
