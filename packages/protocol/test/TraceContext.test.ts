import { assert, describe, it } from "@effect/vitest"
import * as TraceContext from "@pushbutton/protocol/TraceContext"
import * as FastCheck from "effect/FastCheck"

const traceId = "0af7651916cd43dd8448eb211c80319c"
const spanId = "b7ad6b7169203331"
const traceparent = `00-${traceId}-${spanId}-01`

describe("traceparent", () => {
  it.each([
    [traceparent, true],
    [`00-${traceId}-${spanId}-00`, false],
    [`00-${traceId}-${spanId}-03`, true],
    // A later version of the format: its known part counts.
    [`cc-${traceId}-${spanId}-01`, true],
    [`cc-${traceId}-${spanId}-01-what-else`, true]
  ])("reads %s", (text, isSampled) => {
    assert.deepStrictEqual(TraceContext.parseTraceparent(text), { traceId, spanId, isSampled })
  })

  // verifies: META-19
  it.each([
    "",
    "00",
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `cc-${traceId}-${spanId}-01more`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-1`,
    `00-${traceId}-${spanId}`,
    `00-${traceId}0-${spanId}-01`,
    ` ${traceparent}`,
    `${traceparent}\n`
  ])("has nothing to do with %j", (text) => {
    assert.isUndefined(TraceContext.parseTraceparent(text))
  })
})

describe("tracestate", () => {
  it.each([
    "rojo=00f067aa0ba902b7",
    "rojo=1, congo=2",
    "1tenant@vendor=x",
    "a=b,,c=d",
    `a=${"x".repeat(256)}`,
    Array.from({ length: 32 }, (_, at) => `k${at}=v`).join(",")
  ])("may be %j", (text) => {
    assert.isTrue(TraceContext.isTracestate(text))
  })

  it.each([
    "",
    "a",
    "A=1",
    "a=1,a=2",
    "a=1=2",
    "a=é",
    `a=${"x".repeat(257)}`,
    Array.from({ length: 33 }, (_, at) => `k${at}=v`).join(","),
    `a=${" ".repeat(9_000)}x`
  ])("is not %j", (text) => {
    assert.isFalse(TraceContext.isTracestate(text))
  })
})

describe("baggage", () => {
  it.each(["userId=alice", "a=1,b=2", "a=1;property=x;flag , b = 2", "a=", "a=%20", "a=b=c"])(
    "may be %j",
    (text) => {
      assert.isTrue(TraceContext.isBaggage(text))
    }
  )

  it.each([
    "",
    "a",
    "=1",
    "a=b c",
    "a=1,",
    "a=1;;",
    "a b=1",
    'a="x"',
    "a=\\",
    "a=é",
    `a=${"x".repeat(8_192)}`
  ])("is not %j", (text) => {
    assert.isFalse(TraceContext.isBaggage(text))
  })
})

describe("TraceContext", () => {
  it("is read from the keys without a prefix, as they were sent", () => {
    assert.deepStrictEqual(
      TraceContext.ofMeta({ traceparent, tracestate: "a=1", baggage: "b=2", other: true }),
      { parent: { traceId, spanId, isSampled: true }, traceparent, tracestate: "a=1", baggage: "b=2" }
    )
  })

  it.each([
    ["a tracestate without its traceparent", { tracestate: "a=1" }],
    ["values that are no texts", { traceparent: 1, baggage: ["a=1"] }],
    ["malformed values", { traceparent: "x", tracestate: "a=1", baggage: "=" }],
    ["nothing", {}]
  ])("is absent for %s", (_, meta) => {
    assert.isUndefined(TraceContext.ofMeta(meta))
  })

  it("keeps what is well-formed beside what is not", () => {
    assert.deepStrictEqual(TraceContext.ofMeta({ traceparent, tracestate: "A", baggage: "=" }), {
      parent: { traceId, spanId, isSampled: true },
      traceparent,
      tracestate: undefined,
      baggage: undefined
    })
    assert.deepStrictEqual(TraceContext.ofMeta({ traceparent: "x", tracestate: "a=1", baggage: "b=2" }), {
      parent: undefined,
      traceparent: undefined,
      tracestate: undefined,
      baggage: "b=2"
    })
  })

  it.prop("is total", [FastCheck.anything()], ([value]) => {
    const text = typeof value === "string" ? value : String(JSON.stringify(value))
    TraceContext.ofMeta({ traceparent: text, tracestate: text, baggage: text })
  })
})
