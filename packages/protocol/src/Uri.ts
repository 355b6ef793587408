/**
 * URIs as names of resources (RFC 3986): which texts are one, and the spelling that equal ones share. Characters
 * beyond ASCII are taken as they are and stand for their percent-encoding, since clients send both.
 */
import * as Percent from "./internal/percent.js"

/** Longest URI that is read, in UTF-16 units. */
export const maxLength = 8192

const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/
const allowed = /^[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=-]$/
const simple = /^[a-z][a-z0-9+.-]*:[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=-]*$/

/**
 * The spelling that is compared: scheme in lower case, triplets in upper case, nothing encoded that need not be, all
 * else encoded. Paths stay as they are, dot segments included. Undefined when the text is no absolute URI.
 */
export const normalize = (text: string): string | undefined => {
  if (text.length > maxLength) return undefined
  if (simple.test(text)) return text
  const found = scheme.exec(text)
  if (found === null) return undefined
  const rest = normalizeCharacters(text.slice(found[0].length))
  return rest === undefined ? undefined : found[0].toLowerCase() + rest
}

/** `normalize` of any part of a URI, without the need of a scheme. */
export const normalizeCharacters = (text: string): string | undefined => {
  let normal = ""
  for (let at = 0; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
    if (character === "%") {
      if (!Percent.isTriplet(text, at)) return undefined
      normal += normalizeTriplet(text.slice(at, at + 3))
      at += 3
    } else {
      if (character > "\u{9f}" && !isSurrogate(character)) normal += Percent.encode(character)
      else if (allowed.test(character)) normal += character
      else return undefined
      at += character.length
    }
  }
  return normal
}

const normalizeTriplet = (triplet: string): string => {
  const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16))
  return Percent.isUnreserved(character) ? character : triplet.toUpperCase()
}

const isSurrogate = (character: string): boolean =>
  character.length === 1 && character >= "\ud800" && character <= "\udfff"
