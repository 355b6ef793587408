import { assert, describe, it } from "@effect/vitest"
import { ErrorCode } from "@pushbutton/protocol/ErrorCode"
import * as E from "@pushbutton/protocol/ProtocolError"

const served = ["2026-07-28", "2025-11-25"]

interface Row {
  readonly error: E.ProtocolError
  readonly code: number
  readonly message: string
  readonly data?: unknown
  readonly modern: number
  readonly legacy: number
}

const rows: { readonly [Tag in E.ProtocolError["_tag"]]: Row } = {
  ParseError: {
    error: new E.ParseError({ detail: "The message is not JSON" }),
    code: -32700,
    message: "The message is not JSON",
    modern: 400,
    legacy: 400
  },
  InvalidRequest: {
    error: new E.InvalidRequest({ detail: "method is missing" }),
    code: -32600,
    message: "method is missing",
    modern: 400,
    legacy: 400
  },
  MethodNotFound: {
    error: new E.MethodNotFound({ method: "a/b" }),
    code: -32601,
    message: "Method not found: a/b",
    modern: 404,
    legacy: 200
  },
  InvalidParams: {
    error: new E.InvalidParams({ detail: "params.name must be a string" }),
    code: -32602,
    message: "params.name must be a string",
    modern: 200,
    legacy: 200
  },
  InternalError: {
    error: new E.InternalError(),
    code: -32603,
    message: "Internal error",
    modern: 200,
    legacy: 200
  },
  MissingMetadata: {
    error: new E.MissingMetadata({ field: '_meta["x"]', served }),
    code: -32602,
    message:
      '_meta["x"] is missing or invalid: send initialize first, or carry request metadata (versions: 2026-07-28, 2025-11-25)',
    modern: 400,
    legacy: 400
  },
  HeaderMismatch: {
    error: new E.HeaderMismatch({ header: "Mcp-Method", detail: "is missing" }),
    code: -32020,
    message: "Mcp-Method header is missing",
    modern: 400,
    legacy: 400
  },
  UnsupportedProtocolVersion: {
    error: new E.UnsupportedProtocolVersion({ requested: "2099-01-01", supported: ["2026-07-28"] }),
    code: -32022,
    message: "Unsupported protocol version: 2099-01-01",
    data: { supported: ["2026-07-28"], requested: "2099-01-01" },
    modern: 400,
    legacy: 400
  },
  MissingRequiredClientCapability: {
    error: new E.MissingRequiredClientCapability({ required: { elicitation: { url: {} } } }),
    code: -32021,
    message: "The request needs a client capability that it does not declare",
    data: { requiredCapabilities: { elicitation: { url: {} } } },
    modern: 400,
    legacy: 200
  },
  UnknownTool: {
    error: new E.UnknownTool({ name: "x" }),
    code: -32602,
    message: "Unknown tool: x",
    modern: 200,
    legacy: 200
  },
  InvalidCursor: {
    error: new E.InvalidCursor(),
    code: -32602,
    message: "Invalid cursor: start again without one",
    modern: 200,
    legacy: 200
  },
  RequestInFlight: {
    error: new E.RequestInFlight({ id: 1 }),
    code: -32600,
    message: "A request with this id is still in flight",
    modern: 400,
    legacy: 200
  },
  AlreadyInitialized: {
    error: new E.AlreadyInitialized(),
    code: -32600,
    message: "The session is initialized already",
    modern: 400,
    legacy: 400
  },
  SessionNotFound: {
    error: new E.SessionNotFound(),
    code: -32600,
    message: "Session not found: send initialize again",
    modern: 404,
    legacy: 404
  },
  SessionRequired: {
    error: new E.SessionRequired(),
    code: -32600,
    message: "Mcp-Session-Id header is missing",
    modern: 400,
    legacy: 400
  },
  ShuttingDown: {
    error: new E.ShuttingDown(),
    code: -32603,
    message: "The server is shutting down",
    modern: 200,
    legacy: 200
  },
  BatchNotSupported: {
    error: new E.BatchNotSupported(),
    code: -32600,
    message: "Batches are not supported: send one message at a time",
    modern: 400,
    legacy: 400
  },
  MessageTooLarge: {
    error: new E.MessageTooLarge({ limitBytes: 4194304 }),
    code: -32600,
    message: "The message exceeds 4194304 bytes",
    modern: 413,
    legacy: 413
  }
}

describe("ErrorCode", () => {
  it("is the closed table of the wire", () => {
    assert.deepStrictEqual<unknown>(ErrorCode, {
      ParseError: -32700,
      InvalidRequest: -32600,
      MethodNotFound: -32601,
      InvalidParams: -32602,
      InternalError: -32603,
      ResourceNotFound: -32002,
      HeaderMismatch: -32020,
      MissingRequiredClientCapability: -32021,
      UnsupportedProtocolVersion: -32022
    })
    assert.isTrue(Object.isFrozen(ErrorCode))
  })
})

describe("ProtocolError", () => {
  for (const [tag, row] of Object.entries(rows)) {
    it(`maps ${tag} to one error object and one status per era`, () => {
      const { code, data, message } = row
      assert.strictEqual(row.error._tag, tag)
      assert.deepStrictEqual<unknown>(
        E.toErrorObject(row.error),
        data === undefined ? { code, message } : { code, message, data }
      )
      assert.strictEqual(E.toHttpStatus(row.error, "modern"), row.modern)
      assert.strictEqual(E.toHttpStatus(row.error, "legacy"), row.legacy)
    })
  }

  it("passes the data of invalid params on, falsy data included", () => {
    assert.deepStrictEqual<unknown>(E.toErrorObject(new E.InvalidParams({ detail: "no", data: null })), {
      code: -32602,
      message: "no",
      data: null
    })
  })

  it("does not offer a handshake where no legacy revision is served", () => {
    assert.strictEqual(
      E.toErrorObject(new E.MissingMetadata({ field: "_meta", served: ["2026-07-28"] })).message,
      "_meta is missing or invalid: carry request metadata (versions: 2026-07-28)"
    )
  })

  it("quotes at most 100 characters of what the peer sent", () => {
    const long = "x".repeat(5000)
    for (const error of [
      new E.MethodNotFound({ method: long }),
      new E.UnknownTool({ name: long }),
      new E.UnsupportedProtocolVersion({ requested: long, supported: [] })
    ]) {
      const text = JSON.stringify(E.toErrorObject(error))
      assert.include(text, `${"x".repeat(99)}…`)
      assert.notInclude(text, "x".repeat(100))
    }
    assert.strictEqual(
      E.toErrorObject(new E.UnknownTool({ name: "x".repeat(100) })).message,
      `Unknown tool: ${"x".repeat(100)}`
    )
  })

  it("does not cut a quotation inside a character", () => {
    const name = `${"x".repeat(98)}😀 and more`
    assert.strictEqual(
      E.toErrorObject(new E.UnknownTool({ name })).message,
      `Unknown tool: ${"x".repeat(98)}…`
    )
  })
})
