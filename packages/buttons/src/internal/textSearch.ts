/** Finding a text in another in time that grows with the length of the two, whatever is in them. */

export interface Span {
  readonly from: number
  readonly to: number
}

/** A search of the host's own is fastest, and takes the product of both lengths at worst. */
const shortLength = 64

/** Where a wanted text stands, also where it overlaps itself; spans that touch are one. */
export const occurrences = (text: string, wanted: string): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  let last: { from: number; to: number } | undefined
  for (const from of wanted.length <= shortLength ? starts(text, wanted) : startsOfLong(text, wanted)) {
    const to = from + wanted.length
    if (last !== undefined && from <= last.to) last.to = to
    else {
      last = { from, to }
      spans.push(last)
    }
  }
  return spans
}

function* starts(text: string, wanted: string): Generator<number> {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) yield at
}

function* startsOfLong(text: string, wanted: string): Generator<number> {
  // Where not even a part of it stands there is nothing to count.
  let at = text.indexOf(wanted.slice(0, shortLength))
  if (at === -1) return
  const borders = bordersOf(wanted)
  for (let matched = 0; at < text.length; at++) {
    matched = advance(wanted, borders, matched, text.charCodeAt(at))
    if (matched === wanted.length) yield at + 1 - wanted.length
  }
}

/** The length of the longest end of `before` that is a beginning of `after`. */
export const overlap = (before: string, after: string): number => {
  const borders = bordersOf(after)
  let matched = 0
  for (let at = Math.max(0, before.length - after.length); at < before.length; at++) {
    matched = advance(after, borders, matched, before.charCodeAt(at))
  }
  return matched
}

/** Of each beginning of a text: how long the longest shorter beginning is that it ends with (Knuth, Morris, Pratt). */
const bordersOf = (text: string): Int32Array => {
  const borders = new Int32Array(text.length)
  for (let at = 1, matched = 0; at < text.length; at++) {
    matched = advance(text, borders, matched, text.charCodeAt(at))
    borders[at] = matched
  }
  return borders
}

const advance = (text: string, borders: Int32Array, matched: number, unit: number): number => {
  let length = matched
  if (length === text.length) length = borders[length - 1] ?? 0
  while (length > 0 && text.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0
  return text.charCodeAt(length) === unit ? length + 1 : length
}
