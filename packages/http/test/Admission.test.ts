import { assert, describe, it } from "@effect/vitest"
import { toErrorObject } from "@pushbutton/protocol/ProtocolError"
import * as Admission from "../src/Admission.js"

const policy: Admission.Policy = {
  path: "/mcp",
  isLoopback: true,
  hasSessions: true,
  allowedOrigins: undefined,
  allowedHosts: []
}

interface Sent {
  readonly method?: string
  readonly target?: string
  readonly headers?: Record<string, string>
}

const admit = (sent: Sent, change: Partial<Admission.Policy> = {}) => {
  const headers: Record<string, string> = { host: "127.0.0.1:3000", ...sent.headers }
  return Admission.make({ ...policy, ...change })({
    method: sent.method ?? "POST",
    target: sent.target ?? "/mcp",
    header: (name) => headers[name]
  })
}

const json = { "content-type": "application/json" }

const outcome = (admission: Admission.Admission): string | number =>
  admission._tag === "Refused" ? admission.status : admission._tag

const header = (admission: Admission.Admission, name: string): string | undefined => {
  const at = admission.headers.indexOf(name)
  return at === -1 ? undefined : admission.headers[at + 1]
}

const table = (
  cases: ReadonlyArray<
    readonly [name: string, sent: Sent, expected: string | number, change?: Partial<Admission.Policy>]
  >
) => {
  for (const [name, sent, expected, change] of cases) {
    it(name, () => {
      assert.strictEqual(outcome(admit(sent, change)), expected)
    })
  }
}

describe("Admission", () => {
  // verifies: HTTP-02, HTTP-03, P-39
  describe("of origins", () => {
    const from = (origin: string): Sent => ({ headers: { ...json, origin } })
    table([
      ["lets a request without an Origin through", { headers: json }, "Post"],
      ["lets a loopback page call a loopback server", from("http://localhost:6274"), "Post"],
      ["ignores the case of a loopback origin", from("HTTP://LocalHost"), "Post"],
      ["takes 127.0.0.1 for loopback", from("https://127.0.0.1:1"), "Post"],
      ["takes [::1] for loopback", from("http://[::1]:3000"), "Post"],
      ["refuses a foreign origin", from("https://evil.test"), 403],
      ["refuses the null origin", from("null"), 403],
      ["refuses an origin that cannot be read", from("::::"), 403],
      ["refuses an empty origin", from(""), 403],
      ["refuses a name that begins like loopback", from("http://localhost.evil.test"), 403],
      ["refuses an address that begins like loopback", from("http://127.0.0.1.evil.test"), 403],
      ["refuses loopback as user information", from("http://localhost@evil.test"), 403],
      ["refuses two origins in one header", from("http://localhost, http://evil.test"), 403],
      ["refuses other schemes", from("file://localhost"), 403],
      ["refuses loopback pages on a public server", from("http://localhost"), 403, { isLoopback: false }],
      [
        "lets a listed origin through",
        from("https://app.example"),
        "Post",
        { isLoopback: false, allowedOrigins: ["https://app.example"] }
      ],
      [
        "refuses the same name with another port",
        from("https://app.example:8443"),
        403,
        { isLoopback: false, allowedOrigins: ["https://app.example"] }
      ],
      [
        "refuses loopback origins when a list is given that has none",
        from("http://localhost:6274"),
        403,
        { allowedOrigins: ["https://app.example"] }
      ],
      [
        "refuses a foreign origin before the path is looked at",
        { target: "/other", ...from("https://evil.test") },
        403
      ],
      [
        "refuses a foreign origin's preflight",
        { method: "OPTIONS", headers: { origin: "https://evil.test" } },
        403
      ]
    ])
  })

  // verifies: P-39
  describe("of hosts", () => {
    const to = (host: string): Sent => ({ headers: { ...json, host } })
    table([
      ["serves localhost", to("localhost"), "Post"],
      ["serves localhost with a port", to("LOCALHOST:3000"), "Post"],
      ["serves 127.0.0.1", to("127.0.0.1"), "Post"],
      ["serves the whole loopback net", to("127.8.9.1:3000"), "Post"],
      ["serves [::1]", to("[::1]:3000"), "Post"],
      ["refuses a foreign host", to("evil.test"), 403],
      ["refuses a foreign host with a port", to("evil.test:3000"), 403],
      ["refuses a name that begins like loopback", to("localhost.evil.test"), 403],
      ["refuses an address that begins like loopback", to("127.0.0.1.evil.test"), 403],
      ["refuses loopback as user information", to("localhost@evil.test"), 403],
      ["refuses an empty host", to(""), 403],
      ["serves a listed host on any port", to("MCP.example:8443"), "Post", { allowedHosts: ["mcp.example"] }],
      [
        "serves a listed host and port",
        to("mcp.example:8443"),
        "Post",
        { allowedHosts: ["mcp.example:8443"] }
      ],
      [
        "refuses another port than the listed one",
        to("mcp.example:1"),
        403,
        { allowedHosts: ["mcp.example:8443"] }
      ],
      ["serves loopback names beside the list", to("localhost"), "Post", { allowedHosts: ["mcp.example"] }],
      ["serves any host on a public server without a list", to("mcp.example"), "Post", { isLoopback: false }],
      [
        "refuses others on a public server with a list",
        to("evil.test"),
        403,
        { isLoopback: false, allowedHosts: ["mcp.example"] }
      ],
      [
        "refuses loopback names on a public server with a list",
        to("localhost"),
        403,
        { isLoopback: false, allowedHosts: ["mcp.example"] }
      ]
    ])

    it("lets a client of HTTP/1.0 leave the Host out", () => {
      const admission = Admission.make(policy)({
        method: "POST",
        target: "/mcp",
        header: (name) => (name === "content-type" ? "application/json" : undefined)
      })
      assert.strictEqual(outcome(admission), "Post")
    })
  })

  // verifies: P-35
  describe("of paths", () => {
    const at = (target: string): Sent => ({ target, headers: json })
    table([
      ["serves the path", at("/mcp"), "Post"],
      ["serves the path with a slash at its end", at("/mcp/"), "Post"],
      ["ignores a query string", at("/mcp?x=/other"), "Post"],
      ["ignores a query string after the slash", at("/mcp/?x"), "Post"],
      ["takes a whole URL as target", at("http://127.0.0.1:3000/mcp?x"), "Post"],
      ["refuses other paths", at("/"), 404],
      ["refuses longer paths", at("/mcp/x"), 404],
      ["refuses a path in another case", at("/MCP"), 404],
      ["refuses the target of the whole server", { method: "OPTIONS", target: "*" }, 404],
      ["serves a path given without its slash", at("/tools"), "Post", { path: "tools" }],
      ["serves a path given with a slash at its end", at("/tools"), "Post", { path: "/tools/" }],
      ["serves the root", at("/"), "Post", { path: "/" }]
    ])
  })

  // verifies: P-36
  describe("of methods", () => {
    const session = { "mcp-session-id": "id-1" }
    const sse = { accept: "text/event-stream" }
    for (const method of ["GET", "DELETE"]) {
      // verifies: SH-42, SH-53
      table([
        [
          `refuses ${method} of a version with sessions that names none`,
          { method, headers: { ...sse, "mcp-protocol-version": "2025-06-18" } },
          400
        ],
        [
          `refuses ${method} of an unknown version`,
          { method, headers: { ...session, ...sse, "mcp-protocol-version": "1.0.0" } },
          400
        ]
      ])
    }
    // verifies: SH-20, SH-62, SH-70, TRAP-22
    table([
      ["refuses GET without a session", { method: "GET", headers: sse }, 405],
      ["takes GET of a session", { method: "GET", headers: { ...session, ...sse } }, "Get"],
      [
        "refuses GET of a client that takes no event stream",
        { method: "GET", headers: { ...session, accept: "application/json" } },
        406
      ],
      [
        "refuses GET of a modern client",
        { method: "GET", headers: { ...session, ...sse, "mcp-protocol-version": "2026-07-28" } },
        405
      ],
      [
        "refuses GET where there are no sessions",
        { method: "GET", headers: { ...session, ...sse } },
        405,
        { hasSessions: false }
      ],
      ["refuses HEAD", { method: "HEAD" }, 405],
      ["refuses PUT", { method: "PUT", headers: json }, 405],
      ["refuses PATCH", { method: "PATCH", headers: json }, 405],
      ["takes DELETE of a session", { method: "DELETE", headers: session }, "Delete"],
      ["refuses DELETE without a session", { method: "DELETE" }, 405],
      [
        "refuses DELETE of a modern client",
        { method: "DELETE", headers: { ...session, "mcp-protocol-version": "2026-07-28" } },
        405
      ],
      [
        "refuses DELETE where there are no sessions",
        { method: "DELETE", headers: session },
        405,
        { hasSessions: false }
      ]
    ])

    it("tells whoever opens it in a browser what it is, and a client which versions have sessions", () => {
      const said = (headers: Record<string, string>) => {
        const admission = admit({ method: "GET", headers })
        return admission._tag === "Refused" && "detail" in admission.error ? admission.error.detail : ""
      }
      assert.include(said({ accept: "text/html" }), "an MCP endpoint: clients POST to it")
      assert.include(
        said({ ...sse, "mcp-protocol-version": "1.0.0" }),
        "sessions speak 2025-11-25, 2025-06-18"
      )
    })

    // verifies: P-37
    it("lists the methods there are in every 405", () => {
      assert.strictEqual(header(admit({ method: "GET" }), "Allow"), "POST, OPTIONS")
      assert.strictEqual(header(admit({ method: "PUT" }), "Allow"), "GET, POST, DELETE, OPTIONS")
      assert.strictEqual(header(admit({ method: "DELETE" }), "Allow"), "POST, OPTIONS")
      assert.strictEqual(
        header(admit({ method: "GET", headers: { "mcp-protocol-version": "2026-07-28" } }), "Allow"),
        "POST, OPTIONS"
      )
      for (const method of ["GET", "DELETE", "OPTIONS"]) {
        const sent = { method, headers: { "mcp-session-id": "id-1" } }
        assert.strictEqual(header(admit(sent, { hasSessions: false }), "Allow"), "POST, OPTIONS")
      }
    })
  })

  // verifies: P-34
  describe("of media types", () => {
    table([
      [
        "takes JSON with parameters",
        { headers: { "content-type": "Application/JSON; charset=utf-8" } },
        "Post"
      ],
      ["refuses a missing Content-Type", { headers: {} }, 415],
      [
        "refuses text/plain, which a web page may send unasked",
        { headers: { "content-type": "text/plain" } },
        415
      ],
      ["refuses what only begins like JSON", { headers: { "content-type": "application/jsonp" } }, 415],
      ["refuses a coded body", { headers: { ...json, "content-encoding": "gzip" } }, 415],
      ["takes a body whose coding is none", { headers: { ...json, "content-encoding": "Identity" } }, "Post"],
      ["refuses a client that takes neither reply type", { headers: { ...json, accept: "text/html" } }, 406],
      ["refuses a client that excludes both reply types", { headers: { ...json, accept: "*/*;q=0" } }, 406],
      ["looks at the body's type first", { headers: { accept: "text/html" } }, 415]
    ])

    it("tells which reply types the client takes", () => {
      const admission = admit({ headers: { ...json, accept: "application/json" } })
      assert.deepStrictEqual(admission, { _tag: "Post", accepts: { json: true, sse: false }, headers: [] })
    })
  })

  it("refuses with JSON-RPC's code for an invalid request", () => {
    const refusals: ReadonlyArray<Sent> = [
      { headers: { origin: "null" } },
      { target: "/other" },
      { method: "GET" },
      { headers: { "content-type": "text/plain" } },
      { headers: { ...json, accept: "text/html" } }
    ]
    for (const sent of refusals) {
      const admission = admit(sent)
      assert(admission._tag === "Refused")
      assert.strictEqual(toErrorObject(admission.error, "modern").code, -32600)
    }
  })

  // verifies: P-38
  describe("for web pages", () => {
    const origin = "http://localhost:6274"

    it("answers a preflight with every header a client may send", () => {
      const asked =
        "content-type, authorization, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id, " +
        "traceparent, Mcp-Param-Region, mcp-param-build, x-other, mcp bad, mcp-param-<x>"
      const admission = admit({
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": asked }
      })
      assert.strictEqual(admission._tag, "Options")
      assert.strictEqual(header(admission, "Access-Control-Allow-Origin"), origin)
      assert.strictEqual(header(admission, "Vary"), "Origin")
      assert.strictEqual(header(admission, "Access-Control-Allow-Methods"), "GET, POST, DELETE, OPTIONS")
      assert.strictEqual(
        header(admission, "Access-Control-Allow-Headers"),
        "Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, " +
          "Mcp-Session-Id, baggage, traceparent, tracestate, mcp-param-region, mcp-param-build"
      )
      assert.isUndefined(header(admission, "Access-Control-Allow-Credentials"))
    })

    it("answers OPTIONS without an Origin with the methods there are", () => {
      assert.deepStrictEqual(admit({ method: "OPTIONS" }), {
        _tag: "Options",
        headers: ["Allow", "GET, POST, DELETE, OPTIONS"]
      })
    })

    const cors = [
      "Access-Control-Allow-Origin",
      origin,
      "Vary",
      "Origin",
      "Access-Control-Expose-Headers",
      "Mcp-Session-Id, Mcp-Protocol-Version"
    ]

    it("lets the page read replies and refusals", () => {
      const answers: ReadonlyArray<Sent> = [
        { headers: { ...json, origin } },
        { method: "GET", headers: { origin } },
        { headers: { origin } },
        { target: "/other", headers: { origin } }
      ]
      for (const sent of answers) assert.deepStrictEqual(admit(sent).headers.slice(0, 6), cors)
    })

    it("shows a foreign page nothing", () => {
      assert.deepStrictEqual(admit({ headers: { ...json, origin: "https://evil.test" } }).headers, [])
    })
  })
})
