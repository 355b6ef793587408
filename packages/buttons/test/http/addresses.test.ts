import * as Net from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Addresses from "@pushbutton/buttons/http/addresses"
import * as FastCheck from "effect/FastCheck"

/** Ranges of the special-purpose registries, and what else is not given out to the public. */
const special: ReadonlyArray<string> = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "2620:4f:8000::/48",
  "3ffe::/16",
  "3fff::/20",
  "5f00::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8"
]

const family = (address: string) => (address.includes(":") ? "ipv6" : "ipv4")

const listed = new Net.BlockList()
for (const cidr of special) {
  const [address = "", bits] = cidr.split("/")
  listed.addSubnet(address, Number(bits), family(address))
}
const givenOut = new Net.BlockList()
givenOut.addSubnet("2000::", 3, "ipv6")

const bits = (address: string): bigint =>
  (Addresses.parse(address) ?? []).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)

const v4Of = (value: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join(".")

const v6Of = (value: bigint): string =>
  Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - index * 16)) & 0xffffn).toString(16)).join(
    ":"
  )

/** The first and the last address of a range, and their neighbours outside. */
const edges = (
  cidr: string
): { readonly inside: ReadonlyArray<string>; readonly outside: ReadonlyArray<string> } => {
  const [address = "", length] = cidr.split("/")
  const [width, show] = address.includes(":") ? [128, v6Of] : [32, v4Of]
  const size = 1n << BigInt(width - Number(length))
  const first = bits(address)
  const last = first + size - 1n
  const top = (1n << BigInt(width)) - 1n
  return {
    inside: [show(first), show(first + size / 2n), show(last)],
    outside: [first - 1n, last + 1n].filter((value) => value >= 0n && value <= top).map(show)
  }
}

describe("addresses.kindOf", () => {
  it.each(special)("knows %s from its first address to its last", (cidr) => {
    const { inside, outside } = edges(cidr)
    for (const address of inside) assert.isDefined(Addresses.kindOf(address), address)
    for (const address of outside) {
      const isSpecial =
        listed.check(address, family(address)) ||
        (family(address) === "ipv6" && !givenOut.check(address, "ipv6"))
      assert.strictEqual(Addresses.kindOf(address) !== undefined, isSpecial, address)
    }
  })

  it.each([
    ["127.255.255.254", "loopback"],
    ["172.31.255.255", "private"],
    ["169.254.169.254", "link-local"],
    ["100.64.0.1", "shared"],
    ["0.0.0.0", "unspecified"],
    ["255.255.255.255", "reserved"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["fc00::1", "private"],
    ["fe80::1", "link-local"],
    ["::ffff:127.0.0.1", "loopback"],
    ["::ffff:a00:1", "private"],
    ["0:0:0:0:0:FFFF:7F00:1", "loopback"],
    ["::127.0.0.1", "reserved"],
    ["64:ff9b::10.0.0.1", "private"],
    ["64:ff9b::7f00:1", "loopback"],
    ["64:ff9b:1::808:808", "tunnel"],
    ["2002:7f00:1::", "tunnel"],
    ["2001:0:4136:e378:8000:63bf:3fff:fdd2", "tunnel"],
    ["2001:20::1", "tunnel"],
    ["2001:2::1", "benchmarking"],
    ["4000::1", "reserved"]
  ])("calls %s %s", (address, kind) => {
    assert.strictEqual(Addresses.kindOf(address), kind)
  })

  it.each([
    "172.15.255.255",
    "172.32.0.1",
    "192.167.255.255",
    "192.169.0.0",
    "8.8.8.8",
    "2001:4860:4860::8888",
    "2606:4700::1111",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8"
  ])("takes %s for public", (address) => {
    assert.isUndefined(Addresses.kindOf(address))
  })

  it.each([
    "",
    "localhost",
    "127.1",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "2130706433",
    "1.2.3.256",
    "1.2.3.4.5",
    "fe80::1%eth0",
    "[::1]",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8",
    "12345::",
    "::1.2.3",
    "::1.2.3.4:1",
    "1.2.3.4::"
  ])("does not read %j", (address) => {
    const isRead = Net.isIP(address) !== 0 && !address.includes("%")
    assert.strictEqual(Addresses.kindOf(address) !== "unreadable", isRead)
  })

  it("agrees with the table on any address", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.ipV4(), (address) => {
        assert.strictEqual(Addresses.kindOf(address) !== undefined, listed.check(address, "ipv4"))
      })
    )
    FastCheck.assert(
      FastCheck.property(
        FastCheck.bigInt(0n, (1n << 128n) - 1n),
        FastCheck.bigInt(0n, 128n),
        (value, shift) => {
          const address = v6Of(value >> shift)
          const carried = /^(?:0:0:0:0:0:ffff|64:ff9b:0:0:0:0):/.test(address)
          const isSpecial = carried
            ? listed.check(v4Of((value >> shift) & 0xffffffffn), "ipv4")
            : listed.check(address, "ipv6") || !givenOut.check(address, "ipv6")
          assert.strictEqual(Addresses.kindOf(address) !== undefined, isSpecial, address)
        }
      )
    )
  })

  it("reads what the system reads as an address, in any spelling", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.ipV6(), (address) => {
        assert.strictEqual(Addresses.parse(address) !== undefined, Net.isIPv6(address), address)
      })
    )
  })
})
