import { assert, describe, it } from "@effect/vitest"
import { ErrorCode } from "@pushbutton/protocol/ErrorCode"
import * as E from "@pushbutton/protocol/ProtocolError"

const served = ["2026-07-28", "2025-11-25"]

interface Row {
  readonly error: E.ProtocolError
  readonly code: number
  readonly message: string
  readonly data?: unknown
  /** Where a legacy session gets another code. */
  readonly legacyCode?: number
  /** Where it gets another error altogether. */
  readonly legacyError?: { readonly code: number; readonly message: string; readonly data: unknown }
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
    message: "Unsupported protocol version: 2099-01-01 (supported: 2026-07-28)",
    data: { supported: ["2026-07-28"], requested: "2099-01-01" },
    modern: 400,
    legacy: 400
  },
  MissingRequiredClientCapability: {
    error: new E.MissingRequiredClientCapability({ required: { elicitation: { url: {} } } }),
    code: -32021,
    legacyCode: -32603,
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
  UnknownPrompt: {
    error: new E.UnknownPrompt({ name: "x" }),
    code: -32602,
    message: "Unknown prompt: x",
    modern: 200,
    legacy: 200
  },
  ResourceNotFound: {
    error: new E.ResourceNotFound({ uri: "test://gone" }),
    code: -32602,
    legacyCode: -32002,
    message: "Resource not found: test://gone",
    data: { uri: "test://gone" },
    modern: 200,
    legacy: 200
  },
  HandlerFailed: {
    error: new E.HandlerFailed({ detail: "The disk is full" }),
    code: -32603,
    message: "The disk is full",
    modern: 200,
    legacy: 200
  },
  InvalidRequestState: {
    error: new E.InvalidRequestState(),
    code: -32602,
    message: "Invalid requestState: start again without one",
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
  },
  UnknownTask: {
    error: new E.UnknownTask({ taskId: "t-1" }),
    code: -32602,
    message: "Task not found: t-1",
    modern: 200,
    legacy: 200
  },
  TooManyTasks: {
    error: new E.TooManyTasks({ limit: 3 }),
    code: -32603,
    message: "Too many tasks are kept (limit 3): let one end or expire before starting another",
    modern: 200,
    legacy: 200
  },
  TaskElsewhere: {
    error: new E.TaskElsewhere({ taskId: "t-1" }),
    code: -32603,
    message: "Another process runs this task, and only there it can be answered or cancelled: t-1",
    modern: 200,
    legacy: 200
  },
  TaskInterrupted: {
    error: new E.TaskInterrupted({ detail: "The server was stopped" }),
    code: -32603,
    message: "The server was stopped",
    modern: 200,
    legacy: 200
  },
  UrlElicitationRequired: {
    error: new E.UrlElicitationRequired({
      version: "2025-11-25",
      elicitations: [{ message: "Sign in", url: "https://example.com/in", elicitationId: "e-1" }]
    }),
    code: -32603,
    message: "Internal error",
    legacyError: {
      code: -32042,
      message: "The user has to visit a URL before this request can be served",
      data: {
        elicitations: [
          { mode: "url", message: "Sign in", url: "https://example.com/in", elicitationId: "e-1" }
        ]
      }
    },
    modern: 200,
    legacy: 200
  },
  TooManySubscriptions: {
    error: new E.TooManySubscriptions({ limit: 64 }),
    code: -32603,
    message: "Too many subscriptions are open (limit 64): close one before opening another",
    modern: 200,
    legacy: 200
  },
  BatchTooLong: {
    error: new E.BatchTooLong({ limit: 64 }),
    code: -32603,
    message: "The replies to this batch exceed 64 characters: send this request by itself",
    modern: 200,
    legacy: 200
  },
  TooManyStreams: {
    error: new E.TooManyStreams({ limit: 64 }),
    code: -32603,
    message: "Too many event streams are open (limit 64): try again later",
    modern: 200,
    legacy: 200
  },
  TooManyRequests: {
    error: new E.TooManyRequests({ limit: 64 }),
    code: -32603,
    message: "Too many requests are running (limit 64): let one end before sending another",
    modern: 200,
    legacy: 200
  }
}

describe("ErrorCode", () => {
  // verifies: CORE-21, CORE-15, CORE-20, CORE-22
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
      UnsupportedProtocolVersion: -32022,
      UrlElicitationRequired: -32042
    })
    assert.isTrue(Object.isFrozen(ErrorCode))
  })
})

describe("ProtocolError", () => {
  for (const [tag, row] of Object.entries(rows)) {
    // verifies: VER-03, META-07, CORE-14, CORE-23, CORE-24, ER-02, DL-28, TRAP-18, ER-03, ER-04, TRAP-16, TRAP-19, DL-34, DL-35
    it(`maps ${tag} to one error object and one status per era`, () => {
      const { code, data, message } = row
      const rest = data === undefined ? { message } : { message, data }
      assert.strictEqual(row.error._tag, tag)
      assert.deepStrictEqual<unknown>(E.toErrorObject(row.error, "modern"), { code, ...rest })
      assert.deepStrictEqual<unknown>(
        E.toErrorObject(row.error, "legacy"),
        row.legacyError ?? { code: row.legacyCode ?? code, ...rest }
      )
      assert.strictEqual(E.toHttpStatus(row.error, "modern"), row.modern)
      assert.strictEqual(E.toHttpStatus(row.error, "legacy"), row.legacy)
    })
  }

  // verifies: CORE-16
  it("passes the data of invalid params on, falsy data included", () => {
    assert.deepStrictEqual<unknown>(
      E.toErrorObject(new E.InvalidParams({ detail: "no", data: null }), "modern"),
      {
        code: -32602,
        message: "no",
        data: null
      }
    )
  })

  it("does not offer a handshake where no legacy revision is served", () => {
    assert.strictEqual(
      E.toErrorObject(new E.MissingMetadata({ field: "_meta", served: ["2026-07-28"] }), "modern").message,
      "_meta is missing or invalid: carry request metadata (versions: 2026-07-28)"
    )
  })

  it("names a missing resource whole in its data, and in part in its message", () => {
    const uri = `test://${"x".repeat(5000)}`
    const { data, message } = E.toErrorObject(new E.ResourceNotFound({ uri }), "legacy")
    assert.deepStrictEqual<unknown>(data, { uri })
    assert.strictEqual(message, `Resource not found: test://${"x".repeat(92)}…`)
  })

  // verifies: CORE-17
  it("quotes at most 100 characters of what the peer sent", () => {
    const long = "x".repeat(5000)
    for (const error of [
      new E.MethodNotFound({ method: long }),
      new E.UnknownTool({ name: long }),
      new E.UnknownPrompt({ name: long }),
      new E.UnsupportedProtocolVersion({ requested: long, supported: [] })
    ]) {
      const text = JSON.stringify(E.toErrorObject(error, "modern"))
      assert.include(text, `${"x".repeat(99)}…`)
      assert.notInclude(text, "x".repeat(100))
    }
    assert.strictEqual(
      E.toErrorObject(new E.UnknownTool({ name: "x".repeat(100) }), "modern").message,
      `Unknown tool: ${"x".repeat(100)}`
    )
  })

  it("does not cut a quotation inside a character", () => {
    const name = `${"x".repeat(98)}😀 and more`
    assert.strictEqual(
      E.toErrorObject(new E.UnknownTool({ name }), "modern").message,
      `Unknown tool: ${"x".repeat(98)}…`
    )
  })
})
