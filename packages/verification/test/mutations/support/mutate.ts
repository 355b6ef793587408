/** Makes a message wrong: first as a value, then as bytes. Most results are still JSON, and many still requests. */
import { isObject, type JsonObject, type JsonValue } from "@pushbutton/protocol/Json"
import type { Random } from "./random.js"

const strings: ReadonlyArray<string> = [
  "",
  " ",
  "\u0000",
  "\r\n",
  "\u2028",
  "🎈",
  "\ud800",
  "../../etc/passwd",
  "test://template/..%2f/data",
  "file:///etc/passwd",
  "__proto__",
  "=?base64?SGVsbG8=?=",
  "2026-07-28",
  "2025-11-25",
  "2030-01-01",
  "tools/call",
  "tools/list",
  "server/discover",
  "ping",
  "subscriptions/listen",
  "x".repeat(300)
]

const numbers: ReadonlyArray<number> = [
  0,
  -0,
  -1,
  1.5,
  1e21,
  Number.MAX_SAFE_INTEGER + 1,
  -(2 ** 31),
  2 ** 53
]

const nested = (depth: number): JsonValue => {
  let value: JsonValue = null
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

const someValue = (random: Random): JsonValue => {
  switch (random.below(8)) {
    case 0:
      return null
    case 1:
      return random.chance(0.5)
    case 2:
      return random.pick(numbers)
    case 3:
      return []
    case 4:
      return {}
    case 5:
      return random.chance(0.1) ? nested(random.pick([100, 127, 128, 129, 2_000])) : nested(random.below(5))
    case 6:
      return JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {}}}')
    default:
      return random.pick(strings)
  }
}

const changedText = (text: string, random: Random): string => {
  const at = random.below(text.length + 1)
  switch (random.below(4)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(0, at) + random.pick(strings) + text.slice(at)
    case 2:
      return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
    default:
      return random.pick(strings)
  }
}

/** Goes down to some part of the value, and puts something else there. */
const changed = (value: JsonValue, random: Random): JsonValue => {
  if (isObject(value)) {
    const keys = Object.keys(value)
    if (keys.length === 0 || random.chance(0.1)) return someValue(random)
    return changedMember(value, random.pick(keys), random)
  }
  if (Array.isArray(value) && value.length > 0 && !random.chance(0.2)) {
    const at = random.below(value.length)
    return value.map((item: JsonValue, index) => (index === at ? changed(item, random) : item))
  }
  return typeof value === "string" && random.chance(0.6) ? changedText(value, random) : someValue(random)
}

const changedMember = (value: JsonObject, key: string, random: Random): JsonObject => {
  const rest = Object.entries(value).filter(([other]) => other !== key)
  const member = value[key] ?? null
  switch (random.below(6)) {
    case 0:
      return Object.fromEntries(rest)
    case 1:
      return Object.fromEntries([...rest, [changedText(key, random), member]])
    case 2:
      return { ...value, [random.pick(["extra", "", "_meta", "cursor", "task"])]: someValue(random) }
    default:
      return Object.fromEntries([...rest, [key, changed(member, random)]])
  }
}

const changedBytes = (bytes: Buffer, random: Random): Buffer => {
  const at = random.below(bytes.length + 1)
  const end = Math.min(bytes.length, at + random.below(20))
  switch (random.below(6)) {
    case 0:
      return bytes.subarray(0, at)
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)])
    case 2:
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)])
    case 3: {
      const copy = Buffer.from(bytes)
      if (at < copy.length) copy[at] = random.below(256)
      return copy
    }
    case 4:
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(
          random.pick([[0xff], [0xc3], [0xef, 0xbb, 0xbf], [0x0d], [0x00], [0x22], [0x5c], [0x20, 0x09]])
        ),
        bytes.subarray(at)
      ])
    default:
      return Buffer.from(`[${bytes.toString()}]`)
  }
}

/** Most often inside of the params: what is wrong at the top is refused at once. */
const changedMessage = (message: JsonValue, random: Random): JsonValue =>
  isObject(message) && message["params"] !== undefined && random.chance(0.8)
    ? { ...message, params: changed(message["params"], random) }
    : changed(message, random)

export const value = (message: JsonObject, random: Random): JsonValue => {
  let result: JsonValue = message
  for (let count = random.below(3) + 1; count > 0; count--) result = changedMessage(result, random)
  return result
}

/** Three in four stay the JSON they are. */
export const bytes = (message: JsonValue, random: Random): Buffer => {
  const whole = Buffer.from(JSON.stringify(message))
  return random.chance(0.25) ? changedBytes(whole, random) : whole
}
