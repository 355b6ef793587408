/** Base64 of bytes in the alphabet for URLs (RFC 4648, section 5), without padding. One text for each sequence of bytes. */

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

const sextets: ReadonlyMap<string, number> = new Map(
  Array.from(alphabet, (character, value) => [character, value])
)

export const encode = (bytes: Uint8Array): string => {
  let text = ""
  let bits = 0
  let count = 0
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0x3fff
    count += 8
    while (count >= 6) {
      count -= 6
      text += alphabet.charAt((bits >> count) & 63)
    }
  }
  return count === 0 ? text : text + alphabet.charAt((bits << (6 - count)) & 63)
}

/** Undefined when the text is not what `encode` writes. */
export const decode = (text: string): Uint8Array | undefined => {
  if (text.length % 4 === 1) return undefined
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let at = 0
  let bits = 0
  let count = 0
  for (const character of text) {
    const value = sextets.get(character)
    if (value === undefined) return undefined
    bits = ((bits << 6) | value) & 0x3fff
    count += 6
    if (count >= 8) {
      count -= 8
      bytes[at++] = (bits >> count) & 0xff
    }
  }
  return (bits & ((1 << count) - 1)) === 0 ? bytes : undefined
}
