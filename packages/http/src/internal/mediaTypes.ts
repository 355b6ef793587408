/** Content negotiation as RFC 9110 has it: media types ignore case and parameters, the most specific range wins. */

/** Which of the two reply types a client takes. */
export interface Accepts {
  readonly json: boolean
  readonly sse: boolean
}

const both: Accepts = { json: true, sse: true }

/** No Accept header, or an empty one, takes anything. */
export const accepts = (header: string | undefined): Accepts => {
  // What 2026-07-28 asks clients to send, spelt as most of them do.
  if (header === undefined || header === "application/json, text/event-stream") return both
  const ranges = split(header, ",").flatMap((element) => (element.trim() === "" ? [] : [toRange(element)]))
  if (ranges.length === 0) return both
  return {
    json: isAcceptable(ranges, "application", "json"),
    sse: isAcceptable(ranges, "text", "event-stream")
  }
}

export const isJson = (contentType: string | undefined): boolean =>
  contentType === json || (contentType !== undefined && essence(contentType) === json)

const json = "application/json"

interface Range {
  readonly type: string
  readonly subtype: string
  readonly quality: number
}

const toRange = (element: string): Range => {
  const name = essence(element)
  const slash = name.indexOf("/")
  // A lone `*` is what some old HTTP clients send for `*/*`.
  const [type, subtype] = name === "*" ? ["*", "*"] : [name.slice(0, slash), name.slice(slash + 1)]
  return { type, subtype, quality: qualityOf(element) }
}

const essence = (value: string): string => {
  const end = value.indexOf(";")
  return (end === -1 ? value : value.slice(0, end)).trim().toLowerCase()
}

/** A weight that cannot be read counts as none given. */
const qualityOf = (element: string): number => {
  for (const text of split(element, ";")) {
    const weight = /^q\s*=\s*([01](?:\.\d*)?|\.\d+)$/i.exec(text.trim())?.[1]
    if (weight !== undefined) return Number(weight)
  }
  return 1
}

const isAcceptable = (ranges: ReadonlyArray<Range>, type: string, subtype: string): boolean => {
  let best = 0
  let quality = 0
  for (const range of ranges) {
    const specificity = match(range, type, subtype)
    if (specificity === 0 || specificity < best) continue
    quality = specificity > best ? range.quality : Math.max(quality, range.quality)
    best = specificity
  }
  return quality > 0
}

/** 3 for the type itself, 2 for `type/*`, 1 for everything, 0 for no match. */
const match = (range: Range, type: string, subtype: string): 0 | 1 | 2 | 3 => {
  if (range.type === "*") return range.subtype === "*" ? 1 : 0
  if (range.type !== type) return 0
  if (range.subtype === "*") return 2
  return range.subtype === subtype ? 3 : 0
}

/** Splits at a separator outside of quoted strings. Linear: the header is a stranger's. */
const split = (text: string, separator: "," | ";"): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === "\\" && isQuoted) at++
    else if (character === '"') isQuoted = !isQuoted
    else if (character === separator && !isQuoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}
