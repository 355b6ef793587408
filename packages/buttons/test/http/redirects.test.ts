import { assert, describe, it } from "@effect/vitest"
import type { HttpRequest } from "@pushbutton/buttons/http/HttpClient"
import * as Origin from "@pushbutton/buttons/http/Origin"
import * as Redirects from "@pushbutton/buttons/http/redirects"

const request: HttpRequest = {
  origin: { scheme: "https", hostname: "api.example.com", port: 443 },
  method: "POST",
  path: "/a/b?c",
  headers: [
    ["Authorization", "Bearer abc"],
    ["Content-Type", "application/json"],
    ["X-Api-Key", "abc"],
    ["Accept", "text/plain"]
  ],
  body: "{}"
}

const follow = (
  location: string,
  status = 307,
  from: HttpRequest = request,
  named: ReadonlyArray<string> = []
) => {
  const next = Redirects.next(from, status, location, ({ hostname }) => named.includes(hostname))
  switch (next._tag) {
    case "Done":
      return "done"
    case "Refused":
      return next.detail
    case "Follow":
      return `${next.request.method} ${Origin.format(next.request.origin)}${next.request.path}`
  }
}

const followed = (location: string, status: number, named: ReadonlyArray<string> = []) => {
  const next = Redirects.next(request, status, location, ({ hostname }) => named.includes(hostname))
  return next._tag === "Follow" ? next.request : undefined
}

const plain: HttpRequest = { ...request, origin: { scheme: "http", hostname: "api.example.com", port: 80 } }

describe("redirects.next", () => {
  it.each([
    ["/x?y#z", "POST https://api.example.com/x?y"],
    ["x", "POST https://api.example.com/a/x"],
    ["?q", "POST https://api.example.com/a/b?q"],
    ["https://API.example.com:443/x", "POST https://api.example.com/x"],
    ["https://api.example.com.evil/x", "it redirects to another host, api.example.com.evil"],
    ["//evil.example/x", "it redirects to another host, evil.example"],
    ["https://api.example.com:8443/x", "it redirects to another host, api.example.com:8443"],
    ["http://api.example.com/x", "it redirects from https to http"],
    ["https://u:p@api.example.com/x", "it redirects to a URL with credentials"],
    ["https://2130706433/", "it redirects to another host, 127.0.0.1"],
    ["file:///etc/passwd", "it redirects to what is not an HTTP URL"],
    ["https://", "it redirects to what is not an HTTP URL"]
  ])("for %s: %s", (location, expected) => {
    assert.strictEqual(follow(location), expected)
  })

  it("moves from http to https of the same host, and to hosts that are named", () => {
    assert.strictEqual(follow("https://api.example.com/x", 308, plain), "POST https://api.example.com/x")
    assert.strictEqual(
      follow("https://api.example.com:444/x", 308, plain),
      "it redirects to another host, api.example.com:444"
    )
    assert.strictEqual(follow("https://named/x", 308, request, ["named"]), "POST https://named/x")
    assert.strictEqual(follow("http://named/x", 308, request, ["named"]), "it redirects from https to http")
  })

  it.each([200, 204, 300, 304, 305, 404, 500])("ends with %i", (status) => {
    assert.strictEqual(follow("/x", status), "done")
  })

  it("ends with a redirect that leads nowhere", () => {
    assert.strictEqual(Redirects.next(request, 302, undefined, () => true)._tag, "Done")
  })

  it.each([301, 302, 303])("turns a POST into a GET without its body for %i", (status) => {
    assert.deepInclude(followed("/x", status), {
      method: "GET",
      headers: [
        ["Authorization", "Bearer abc"],
        ["X-Api-Key", "abc"],
        ["Accept", "text/plain"]
      ]
    })
    assert.isUndefined(followed("/x", status)?.body)
  })

  it("keeps method, body and headers for 307 and 308", () => {
    for (const status of [307, 308]) {
      assert.deepStrictEqual(followed("/x", status), { ...request, path: "/x" })
    }
  })

  it("gives another origin none of the headers that could be a credential", () => {
    assert.deepStrictEqual(followed("https://named/x", 307, ["named"])?.headers, [
      ["Content-Type", "application/json"],
      ["Accept", "text/plain"]
    ])
  })
})
