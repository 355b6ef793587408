import { assert, describe, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import { Implementation } from "@pushbutton/protocol/Implementation"
import { isObject, type JsonObject, type JsonValue } from "@pushbutton/protocol/Json"
import { isRequestId } from "@pushbutton/protocol/JsonRpc"
import { levels } from "@pushbutton/protocol/Logging"
import { InvalidParams, MissingMetadata, toErrorObject } from "@pushbutton/protocol/ProtocolError"
import * as RequestMeta from "@pushbutton/protocol/RequestMeta"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { jsonValue, objectWith } from "./arbitraries/json.js"

const isImplementation = Schema.is(Implementation)

const served = ["2026-07-28", "2025-11-25"]

const required = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {}
}

const checkMissing = (meta: JsonObject, field: string) =>
  assertLeft(RequestMeta.decode(meta, served), new MissingMetadata({ field, served }))

const checkInvalid = (extra: JsonObject, detail: string) =>
  assertLeft(RequestMeta.decode({ ...required, ...extra }, served), new InvalidParams({ detail }))

describe("RequestMeta", () => {
  // verifies: META-14, META-17
  it("names the reserved keys", () => {
    assert.deepStrictEqual<unknown>(RequestMeta.key, {
      protocolVersion: "io.modelcontextprotocol/protocolVersion",
      clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
      clientInfo: "io.modelcontextprotocol/clientInfo",
      logLevel: "io.modelcontextprotocol/logLevel",
      serverInfo: "io.modelcontextprotocol/serverInfo",
      subscriptionId: "io.modelcontextprotocol/subscriptionId"
    })
  })

  describe("claim", () => {
    it("is the value at the version key, of whatever type", () => {
      for (const value of ["2026-07-28", "", null, 0, false, [], {}]) {
        assert.deepStrictEqual(
          RequestMeta.claim({ _meta: { [RequestMeta.key.protocolVersion]: value } }),
          value
        )
      }
    })

    it("is absent without the key, other reserved keys notwithstanding", () => {
      const without: ReadonlyArray<JsonValue | undefined> = [
        undefined,
        null,
        [],
        "x",
        {},
        { _meta: null },
        { _meta: [] },
        { _meta: {} },
        { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
        {
          _meta: {
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/related-task": {}
          }
        },
        JSON.parse('{"__proto__":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}'),
        JSON.parse('{"_meta":{"__proto__":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}')
      ]
      for (const params of without) assert.strictEqual(RequestMeta.claim(params), undefined)
    })
  })

  describe("progressToken", () => {
    // verifies: P-18
    it("keeps falsy tokens and takes an ill-typed one for none", () => {
      for (const token of [0, "", -1, "a", 7]) {
        assert.strictEqual(RequestMeta.progressToken({ _meta: { progressToken: token } }), token)
      }
      for (const token of [null, true, 1.5, {}, [], 9007199254740992]) {
        assert.strictEqual(RequestMeta.progressToken({ _meta: { progressToken: token } }), undefined)
      }
      assert.strictEqual(RequestMeta.progressToken(undefined), undefined)
    })
  })

  describe("decode", () => {
    it("accepts the two required fields alone", () => {
      assertRight(RequestMeta.decode(required, served), {
        protocolVersion: "2026-07-28",
        clientCapabilities: {},
        clientInfo: undefined,
        logLevel: undefined,
        progressToken: undefined,
        all: required
      })
    })

    // verifies: META-21, META-13
    it("keeps every field, unknown members at each level among them", () => {
      const clientInfo = { name: "c", version: "1", extra: { deep: [null] } }
      const meta = {
        ...required,
        "io.modelcontextprotocol/clientCapabilities": { elicitation: { url: {} }, "com.example/x": 1 },
        "io.modelcontextprotocol/clientInfo": clientInfo,
        "io.modelcontextprotocol/logLevel": "emergency",
        progressToken: 0,
        traceparent: "00-aa-bb-01",
        "com.example/any": false
      }
      assertRight(RequestMeta.decode(meta, served), {
        protocolVersion: "2026-07-28",
        clientCapabilities: { elicitation: { url: {} }, "com.example/x": 1 },
        clientInfo,
        logLevel: "emergency",
        progressToken: 0,
        all: meta
      })
    })

    // verifies: META-02
    it("says which required field is missing or ill-typed", () => {
      const version = '_meta["io.modelcontextprotocol/protocolVersion"]'
      const capabilities = '_meta["io.modelcontextprotocol/clientCapabilities"]'
      checkMissing({}, version)
      checkMissing({ ...required, "io.modelcontextprotocol/protocolVersion": 1 }, version)
      checkMissing({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" }, capabilities)
      for (const value of [null, [], "", 0, true]) {
        checkMissing({ ...required, "io.modelcontextprotocol/clientCapabilities": value }, capabilities)
      }
      checkMissing(
        JSON.parse(
          '{"io.modelcontextprotocol/protocolVersion":"2026-07-28","__proto__":{"io.modelcontextprotocol/clientCapabilities":{}}}'
        ),
        capabilities
      )
    })

    // verifies: LOG-07, P-75
    it("says which optional field is ill-typed and what was expected", () => {
      const info = '_meta["io.modelcontextprotocol/clientInfo"]'
      checkInvalid({ "io.modelcontextprotocol/clientInfo": null }, `${info} must be an object`)
      checkInvalid({ "io.modelcontextprotocol/clientInfo": { name: "x" } }, `${info}.version is missing`)
      checkInvalid(
        { "io.modelcontextprotocol/clientInfo": { name: 1, version: "1" } },
        `${info}.name must be a string`
      )
      checkInvalid(
        {
          "io.modelcontextprotocol/clientInfo": { name: "x", version: "1", icons: [{ src: "a" }, { src: 2 }] }
        },
        `${info}.icons[1].src must be a string`
      )
      checkInvalid(
        { "io.modelcontextprotocol/clientInfo": { name: "x", version: "1", icons: {} } },
        `${info}.icons must be an array`
      )
      checkInvalid(
        {
          "io.modelcontextprotocol/clientInfo": {
            name: "x",
            version: "1",
            icons: [{ src: "a", theme: "blue" }]
          }
        },
        `${info}.icons[0].theme must be one of light, dark`
      )
      checkInvalid(
        { "io.modelcontextprotocol/logLevel": "loud" },
        '_meta["io.modelcontextprotocol/logLevel"] must be one of debug, info, notice, warning, error, critical, alert, emergency'
      )
      checkInvalid({ progressToken: null }, "_meta.progressToken must be a string or an integer")
      checkInvalid({ progressToken: 1.5 }, "_meta.progressToken must be a string or an integer")
    })

    it("reports a missing required field before an ill-typed optional one", () => {
      checkMissing(
        { "io.modelcontextprotocol/protocolVersion": "2026-07-28", progressToken: null },
        '_meta["io.modelcontextprotocol/clientCapabilities"]'
      )
    })

    it.prop(
      "is total, keeps the map, and never quotes what was sent",
      [
        objectWith({
          "io.modelcontextprotocol/protocolVersion": fc.constant("2026-07-28"),
          "io.modelcontextprotocol/clientCapabilities": fc.constant({}),
          "io.modelcontextprotocol/clientInfo": fc.constant({ name: "n", version: "v" }),
          "io.modelcontextprotocol/logLevel": fc.constant("info"),
          progressToken: fc.constantFrom(0, "")
        }),
        fc.constant("q".repeat(300))
      ],
      ([meta, marker]) => {
        const decoded = RequestMeta.decode({ [marker]: marker, ...meta }, served)
        if (Either.isRight(decoded)) assert.strictEqual(decoded.right.all[marker], marker)
        else assert.isBelow(toErrorObject(decoded.left, "modern").message.length, 250)
      }
    )

    it.prop(
      "takes what the schemas of its members take, and nothing else",
      [
        objectWith({
          "io.modelcontextprotocol/protocolVersion": fc.constant("2026-07-28"),
          "io.modelcontextprotocol/clientCapabilities": fc.constant({}),
          "io.modelcontextprotocol/clientInfo": objectWith({
            name: fc.string(),
            version: fc.string(),
            title: fc.string(),
            websiteUrl: fc.string(),
            icons: fc.constant([{ src: "data:," }])
          }),
          "io.modelcontextprotocol/logLevel": fc.constantFrom("info", "loud"),
          progressToken: fc.constantFrom<JsonValue>(0, "", 1.5)
        })
      ],
      ([meta]) => {
        const has = (name: string) => Object.hasOwn(meta, name)
        const { clientCapabilities, clientInfo, logLevel, protocolVersion } = RequestMeta.key
        const fits =
          typeof (has(protocolVersion) && meta[protocolVersion]) === "string" &&
          isObject(has(clientCapabilities) && meta[clientCapabilities]) &&
          (!has(clientInfo) || isImplementation(meta[clientInfo])) &&
          (!has(logLevel) || levels.some((level) => level === meta[logLevel])) &&
          (!has("progressToken") || isRequestId(meta["progressToken"]))
        assert.strictEqual(Either.isRight(RequestMeta.decode(meta, served)), fits)
      },
      { fastCheck: { numRuns: 1_000 } }
    )

    it.prop("claim and progressToken are total on any JSON", [jsonValue], ([json]) => {
      RequestMeta.claim(json)
      RequestMeta.progressToken(json)
    })
  })
})
