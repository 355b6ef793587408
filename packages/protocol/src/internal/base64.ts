/** Base64 of bytes (RFC 4648, standard alphabet), strict both ways: padding present, unused bits zero. */

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

const sextets: ReadonlyMap<string, number> = new Map(
  Array.from(alphabet, (character, value) => [character, value])
)

export const encode = (bytes: ReadonlyArray<number>): string => {
  let text = ""
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second, third] = bytes.slice(at, at + 3)
    const bits = (first << 16) | ((second ?? 0) << 8) | (third ?? 0)
    text += alphabet.charAt(bits >> 18) + alphabet.charAt((bits >> 12) & 63)
    text += second === undefined ? "=" : alphabet.charAt((bits >> 6) & 63)
    text += third === undefined ? "=" : alphabet.charAt(bits & 63)
  }
  return text
}

/** Undefined when the text is not the one canonical encoding of its bytes. */
export const decode = (text: string): Array<number> | undefined => {
  if (text.length % 4 !== 0) return undefined
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0
  const bytes: Array<number> = []
  let bits = 0
  let count = 0
  for (const character of text.slice(0, text.length - padding)) {
    const value = sextets.get(character)
    if (value === undefined) return undefined
    bits = ((bits << 6) | value) & 0xffff
    count += 6
    if (count >= 8) {
      count -= 8
      bytes.push((bits >> count) & 0xff)
    }
  }
  return (bits & ((1 << count) - 1)) === 0 ? bytes : undefined
}
