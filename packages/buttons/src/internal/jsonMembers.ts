/** Sets members at the top of a JSON object's text; every other character stays as it is. */
import type { JsonValue } from "@pushbutton/protocol/Json"

interface Member {
  readonly key: string
  /** Where the key begins. */
  readonly at: number
  readonly valueStart: number
  readonly valueEnd: number
}

/** `text` must be an object that `JSON.parse` takes. A key that is there several times is set each time. */
export const set = (text: string, values: Readonly<Record<string, JsonValue>>): string => {
  const members = scan(text)
  const known = new Set(members.map(({ key }) => key))
  const added = Object.entries(values).filter(([key]) => !known.has(key))
  let edited = withAdded(text, members, added)
  for (const { key, valueEnd, valueStart } of [...members].reverse()) {
    if (!Object.hasOwn(values, key)) continue
    edited = edited.slice(0, valueStart) + JSON.stringify(values[key]) + edited.slice(valueEnd)
  }
  return edited
}

const withAdded = (
  text: string,
  members: ReadonlyArray<Member>,
  added: ReadonlyArray<readonly [string, JsonValue]>
): string => {
  if (added.length === 0) return text
  const last = members[members.length - 1]
  const before = last === undefined ? "" : (/\s*$/.exec(text.slice(0, last.at))?.[0] ?? "")
  const written = added.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
  if (last === undefined) {
    const open = text.indexOf("{") + 1
    return `${text.slice(0, open)}\n  ${written.join(",\n  ")}\n${text.slice(text.indexOf("}", open))}`
  }
  const parts = written.map((member) => `,${before}${member}`).join("")
  return text.slice(0, last.valueEnd) + parts + text.slice(last.valueEnd)
}

const scan = (text: string): ReadonlyArray<Member> => {
  const members: Array<Member> = []
  let at = skipBlank(text, text.indexOf("{") + 1)
  while (text.charAt(at) === '"') {
    const keyEnd = endOfString(text, at)
    const valueStart = skipBlank(text, skipBlank(text, keyEnd) + 1)
    const valueEnd = endOfValue(text, valueStart)
    members.push({ key: String(JSON.parse(text.slice(at, keyEnd))), at, valueStart, valueEnd })
    const next = skipBlank(text, valueEnd)
    at = text.charAt(next) === "," ? skipBlank(text, next + 1) : next
  }
  return members
}

const skipBlank = (text: string, from: number): number => {
  let at = from
  while (/\s/.test(text.charAt(at))) at++
  return at
}

const endOfString = (text: string, from: number): number => {
  let at = from + 1
  while (text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1
  return at + 1
}

const endOfValue = (text: string, from: number): number => {
  let depth = 0
  let at = from
  for (;;) {
    const unit = text.charAt(at)
    if (unit === '"') {
      at = endOfString(text, at)
      continue
    }
    if (unit === "{" || unit === "[") depth++
    else if (unit === "}" || unit === "]") {
      if (depth <= 1) return depth === 1 ? at + 1 : at
      depth--
    } else if (depth === 0 && (unit === "," || /\s/.test(unit))) return at
    at++
  }
}
