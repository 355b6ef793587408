/**
 * What kind of address an IP address is. Everything that is not plainly public is special: the special-purpose
 * registries of IPv4 and IPv6, and every IPv6 address outside of the space that is given out.
 */

export type Kind =
  | "loopback"
  | "private"
  | "shared"
  | "unspecified"
  | "link-local"
  | "multicast"
  | "documentation"
  | "benchmarking"
  | "reserved"
  | "tunnel"
  | "unreadable"

/** Addresses that a network of one's own may use; a button can be permitted to reach them. */
export const isPrivateNetwork = (kind: Kind): boolean =>
  kind === "loopback" || kind === "private" || kind === "shared"

type Bytes = ReadonlyArray<number>

interface Range {
  readonly prefix: Bytes
  readonly bits: number
  readonly kind: Kind
}

/** Undefined for a public address. What is no address is not public. */
export const kindOf = (address: string): Kind | undefined => {
  const bytes = parse(address)
  if (bytes === undefined) return "unreadable"
  return bytes.length === 4 ? kindOfV4(bytes) : kindOfV6(bytes)
}

/** 4 or 16 bytes, or undefined. IPv4 is read in dotted decimal only; a zone makes an IPv6 address unreadable. */
export const parse = (text: string): Bytes | undefined => (text.includes(":") ? parseV6(text) : parseV4(text))

const parseV4 = (text: string): Bytes | undefined => {
  const parts = text.split(".")
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return undefined
  const bytes = parts.map(Number)
  return bytes.every((byte) => byte <= 255) ? bytes : undefined
}

const parseV6 = (text: string): Bytes | undefined => {
  const halves = text.split("::")
  if (halves.length > 2) return undefined
  const [first = "", second] = halves
  const head = groups(first, second === undefined)
  const tail = second === undefined ? [] : groups(second, true)
  if (head === undefined || tail === undefined) return undefined
  const missing = 16 - head.length - tail.length
  if (second === undefined ? missing !== 0 : missing < 2) return undefined
  return [...head, ...new Array<number>(missing).fill(0), ...tail]
}

const groups = (text: string, mayEndInV4: boolean): Bytes | undefined => {
  if (text === "") return []
  const bytes: Array<number> = []
  const parts = text.split(":")
  for (const [index, part] of parts.entries()) {
    if (part.includes(".")) {
      const v4 = mayEndInV4 && index === parts.length - 1 ? parseV4(part) : undefined
      if (v4 === undefined) return undefined
      bytes.push(...v4)
    } else {
      if (!/^[0-9a-f]{1,4}$/i.test(part)) return undefined
      const value = Number.parseInt(part, 16)
      bytes.push(value >> 8, value & 0xff)
    }
  }
  return bytes
}

const isWithin = ({ bits, prefix }: Range, bytes: Bytes): boolean =>
  prefix.every((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8))
    const mask = (0xff << (8 - kept)) & 0xff
    return ((byte ^ (bytes[index] ?? 0)) & mask) === 0
  })

/** Read when they are first asked for: few servers have buttons that send requests. */
const ranges = (table: ReadonlyArray<readonly [string, Kind]>): (() => ReadonlyArray<Range>) => {
  let known: ReadonlyArray<Range> | undefined
  return () => {
    known ??= table.flatMap(([cidr, kind]) => {
      const [address = "", bits = ""] = cidr.split("/")
      const prefix = parse(address)
      return prefix === undefined ? [] : [{ prefix, bits: Number(bits), kind }]
    })
    return known
  }
}

const v4 = ranges([
  ["0.0.0.0/8", "unspecified"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "shared"],
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "link-local"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "reserved"],
  ["192.0.2.0/24", "documentation"],
  ["192.31.196.0/24", "reserved"],
  ["192.52.193.0/24", "reserved"],
  ["192.88.99.0/24", "tunnel"],
  ["192.168.0.0/16", "private"],
  ["192.175.48.0/24", "reserved"],
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved"]
])

/** Only what lies outside of these ranges and inside of `2000::/3` is public. */
const v6 = ranges([
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["::/96", "reserved"],
  ["64:ff9b:1::/48", "tunnel"],
  ["100::/64", "reserved"],
  ["100:0:0:1::/64", "reserved"],
  ["2001:2::/48", "benchmarking"],
  ["2001::/23", "tunnel"],
  ["2001:db8::/32", "documentation"],
  ["2002::/16", "tunnel"],
  ["2620:4f:8000::/48", "reserved"],
  ["3ffe::/16", "reserved"],
  ["3fff::/20", "documentation"],
  ["5f00::/16", "reserved"],
  ["fc00::/7", "private"],
  ["fe80::/10", "link-local"],
  ["fec0::/10", "private"],
  ["ff00::/8", "multicast"]
])

/** Their last four bytes are an IPv4 address, which is what is reached. */
const carriers = ranges([
  ["::ffff:0:0/96", "tunnel"],
  ["64:ff9b::/96", "tunnel"]
])

const givenOut = ranges([["2000::/3", "reserved"]])

const kindOfV4 = (bytes: Bytes): Kind | undefined => v4().find((range) => isWithin(range, bytes))?.kind

const kindOfV6 = (bytes: Bytes): Kind | undefined => {
  if (carriers().some((range) => isWithin(range, bytes))) return kindOfV4(bytes.slice(12))
  const kind = v6().find((range) => isWithin(range, bytes))?.kind
  if (kind !== undefined) return kind
  return givenOut().some((range) => isWithin(range, bytes)) ? undefined : "reserved"
}
