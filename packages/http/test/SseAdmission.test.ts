import { assert, describe, it } from "@effect/vitest"
import * as Admission from "../src/internal/httpSse/admission.js"

const admit = Admission.make({
  path: "/sse",
  messagesPath: "/messages",
  isLoopback: true,
  allowedOrigins: undefined,
  allowedHosts: []
})

const headOf = (method: string, target: string, headers: Record<string, string> = {}) => ({
  method,
  target,
  header: (name: string) => headers[name]
})

const json = { "content-type": "application/json" }

const outcome = (...head: Parameters<typeof headOf>) => {
  const admitted = admit(headOf(...head))
  return admitted?._tag === "Refused" ? admitted.status : admitted?._tag
}

const headersOf = (...head: Parameters<typeof headOf>) => admit(headOf(...head))?.headers.join(" ") ?? ""

describe("admission to HTTP+SSE", () => {
  // verifies: HS-01, HS-04
  it.each([
    ["GET", "/sse", {}, "Stream"],
    ["GET", "/sse/?a=b", { accept: "text/event-stream" }, "Stream"],
    ["GET", "http://localhost/sse", {}, "Stream"],
    ["GET", "/sse", { accept: "application/json" }, 406],
    ["POST", "/sse", json, 405],
    ["POST", "/messages?sessionId=k", json, "Message"],
    ["POST", "/messages/?sessionId=k", { "content-type": "Application/JSON; charset=utf-8" }, "Message"],
    ["POST", "/messages?sessionId=k", {}, 415],
    ["POST", "/messages?sessionId=k", { "content-type": "text/plain" }, 415],
    ["POST", "/messages?sessionId=k", { ...json, "content-encoding": "gzip" }, 415],
    ["POST", "/messages", json, 400],
    ["GET", "/messages?sessionId=k", {}, 405],
    ["DELETE", "/messages?sessionId=k", json, 405],
    ["OPTIONS", "/sse", {}, "Options"],
    ["GET", "/", {}, undefined],
    ["POST", "/mcp", json, undefined],
    ["GET", "/sse/more", {}, undefined]
  ])("of %s %s with %j is %s", (method, target, headers, expected) => {
    assert.strictEqual(outcome(method, target, headers), expected)
  })

  // verifies: HS-05
  it.each([
    ["GET", "/sse"],
    ["POST", "/messages?sessionId=k"],
    ["OPTIONS", "/sse"],
    ["DELETE", "/sse"]
  ])("refuses %s %s of a strange Origin or Host, ahead of all else", (method, target) => {
    for (const headers of [
      { origin: "https://evil.example" },
      { host: "evil.example" },
      { origin: "null" }
    ]) {
      assert.strictEqual(outcome(method, target, { ...json, ...headers }), 403)
    }
    assert.notStrictEqual(
      outcome(method, target, { ...json, origin: "http://localhost:1", host: "127.0.0.1:2" }),
      403
    )
  })

  it("tells a page of an allowed origin what it may send, and anybody what a path is for", () => {
    const origin = "http://localhost:8080"
    for (const [target, method] of [
      ["/sse", "GET"],
      ["/messages", "POST"]
    ] as const) {
      assert.include(
        headersOf("OPTIONS", target, { origin }),
        `Access-Control-Allow-Methods ${method}, OPTIONS`
      )
      assert.include(headersOf("OPTIONS", target, { origin }), `Access-Control-Allow-Origin ${origin}`)
      assert.include(headersOf("DELETE", target, { origin }), `Access-Control-Allow-Origin ${origin}`)
      assert.include(headersOf("DELETE", target), `Allow ${method}, OPTIONS`)
      assert.strictEqual(headersOf("OPTIONS", target), `Allow ${method}, OPTIONS`)
    }
  })
})
