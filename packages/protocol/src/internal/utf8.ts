/** UTF-8, strict: no overlong forms, no surrogates, nothing beyond U+10FFFF. */

/** A lone surrogate becomes U+FFFD. */
export const encode = (text: string): Array<number> => {
  const bytes: Array<number> = []
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    const code = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point
    if (code < 0x80) bytes.push(code)
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), continuation(code))
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), continuation(code >> 6), continuation(code))
    else
      bytes.push(0xf0 | (code >> 18), continuation(code >> 12), continuation(code >> 6), continuation(code))
  }
  return bytes
}

const continuation = (bits: number): number => 0x80 | (bits & 0x3f)

/** Undefined when the bytes are not UTF-8. */
export const decode = (bytes: ReadonlyArray<number>): string | undefined => {
  let text = ""
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at++] ?? 0
    const form = formOf(lead)
    if (form === undefined) return undefined
    let code = lead & form.mask
    for (let rest = form.rest; rest > 0; rest--) {
      const next = bytes[at++]
      if (next === undefined || (next & 0xc0) !== 0x80) return undefined
      code = (code << 6) | (next & 0x3f)
    }
    if (code < form.least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined
    text += String.fromCodePoint(code)
  }
  return text
}

interface Form {
  /** Bits of the lead byte that belong to the code point. */
  readonly mask: number
  /** Continuation bytes. */
  readonly rest: number
  /** Smallest code point that needs this form. */
  readonly least: number
}

const one: Form = { mask: 0x7f, rest: 0, least: 0 }
const two: Form = { mask: 0x1f, rest: 1, least: 0x80 }
const three: Form = { mask: 0x0f, rest: 2, least: 0x800 }
const four: Form = { mask: 0x07, rest: 3, least: 0x10000 }

const formOf = (lead: number): Form | undefined => {
  if (lead < 0x80) return one
  if (lead >= 0xc0 && lead < 0xe0) return two
  if (lead >= 0xe0 && lead < 0xf0) return three
  if (lead >= 0xf0 && lead < 0xf8) return four
  return undefined
}
