import { assert, describe, it } from "@effect/vitest"
import * as HostPolicy from "@pushbutton/buttons/http/HostPolicy"
import type { Origin } from "@pushbutton/buttons/http/Origin"
import * as Either from "effect/Either"

const policy = (environment: Readonly<Record<string, string>>): HostPolicy.HostPolicy | string =>
  Either.merge(HostPolicy.fromEnvironment(environment))

describe("HostPolicy.fromEnvironment", () => {
  it("opens nothing by itself", () => {
    assert.deepStrictEqual(policy({}), HostPolicy.publicOnly)
    assert.deepStrictEqual(policy({ BUTTONS_ALLOW_HOSTS: " , " }), HostPolicy.publicOnly)
  })

  it("takes exactly 1 for a permission", () => {
    assert.deepInclude(policy({ BUTTONS_ALLOW_PRIVATE_NETWORKS: "1" }), { privateNetworks: true })
    for (const value of ["true", "yes", " 1 ", "0", ""]) {
      assert.deepInclude(policy({ BUTTONS_ALLOW_PRIVATE_NETWORKS: value }), { privateNetworks: false })
    }
  })

  it("reads hosts in any spelling", () => {
    assert.deepInclude(policy({ BUTTONS_ALLOW_HOSTS: "Internal.Example:8080, other, [::1]:81,0x7f.1" }), {
      named: [
        { hostname: "internal.example", port: 8080 },
        { hostname: "other", port: undefined },
        { hostname: "::1", port: 81 },
        { hostname: "127.0.0.1", port: undefined }
      ]
    })
  })

  it.each(["http://h", "h/x", "u@h", "h:0", "h:65536", "h:x", "::1", "*", "a b", "256.1.1.1"])(
    "refuses %s",
    (entry) => {
      assert.strictEqual(
        policy({ BUTTONS_ALLOW_HOSTS: `fine,${entry}` }),
        `BUTTONS_ALLOW_HOSTS: ${JSON.stringify(entry)} is not a host or host:port`
      )
    }
  )
})

describe("HostPolicy.isNamed", () => {
  it.each<[string, Origin, boolean]>([
    ["h", { scheme: "http", hostname: "h", port: 80 }, true],
    ["h", { scheme: "https", hostname: "h", port: 443 }, true],
    ["h", { scheme: "http", hostname: "h", port: 8080 }, false],
    ["h:8080", { scheme: "https", hostname: "h", port: 8080 }, true],
    ["h:8080", { scheme: "http", hostname: "h", port: 80 }, false],
    ["h", { scheme: "http", hostname: "sub.h", port: 80 }, false],
    ["h", { scheme: "http", hostname: "h.evil", port: 80 }, false]
  ])("of %s for %o is %s", (hosts, origin, expected) => {
    const found = policy({ BUTTONS_ALLOW_HOSTS: hosts })
    assert.strictEqual(typeof found !== "string" && HostPolicy.isNamed(found, origin), expected)
  })
})
