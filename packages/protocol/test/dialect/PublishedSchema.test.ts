import { assert, describe, it } from "@effect/vitest"
import * as Discover from "@pushbutton/protocol/Discover"
import * as Dialect from "@pushbutton/protocol/dialect/Dialect"
import * as Initialize from "@pushbutton/protocol/Initialize"
import * as Logging from "@pushbutton/protocol/Logging"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as ProtocolVersion from "@pushbutton/protocol/ProtocolVersion"
import * as Subscription from "@pushbutton/protocol/Subscription"
import type { CallToolResult, Tool } from "@pushbutton/protocol/Tool"
import { published } from "./published.js"
import { capabilities, hints, identity, progress, progressToken, result, tool } from "./registry.js"

const arrayTool: Tool = { ...tool, outputSchema: { type: "array", items: { $ref: "#" } } }

const results: ReadonlyArray<readonly [CallToolResult, Tool]> = [
  [result, tool],
  [{ content: [] }, tool],
  [{ content: [], structuredContent: [[]] }, arrayTool],
  [
    { content: [], structuredContent: null },
    { ...tool, outputSchema: {} }
  ],
  [
    { content: [], structuredContent: 0, isError: true },
    { name: "x", inputSchema: { type: "object" } }
  ]
]

const versions = [...ProtocolVersion.modernVersions, ...ProtocolVersion.legacyVersions]

describe("what a dialect writes", () => {
  for (const version of versions) {
    const errors = published(version)
    const dialect = Dialect.forVersion(version)

    // verifies: P-63, LC-16, LC-15, DL-26
    it(`fits the published schema of ${version}: lists`, () => {
      for (const tools of [[], [dialect.tool(tool), dialect.tool(arrayTool)]]) {
        assert.deepStrictEqual(
          errors("ListToolsResult", dialect.list("tools", tools, "c", hints, identity)),
          []
        )
        assert.deepStrictEqual(
          errors("ListToolsResult", dialect.list("tools", tools, undefined, hints, identity)),
          []
        )
      }
    })

    // verifies: LC-16, LC-15, DL-27
    it(`fits the published schema of ${version}: call results`, () => {
      for (const [given, of] of results) {
        assert.deepStrictEqual(errors("CallToolResult", dialect.callToolResult(given, of, identity)), [])
      }
    })

    // verifies: LC-16, LC-15
    it(`fits the published schema of ${version}: empty results, progress and introductions`, () => {
      assert.deepStrictEqual(errors("EmptyResult", dialect.complete({}, identity)), [])
      assert.deepStrictEqual(
        errors("ProgressNotification", JSON.parse(dialect.progress(progressToken)(...progress))),
        []
      )
      const server = { identity, capabilities, instructions: "press" }
      if (ProtocolVersion.isLegacy(version)) {
        assert.deepStrictEqual(errors("InitializeResult", Initialize.result(version, server)), [])
      } else {
        assert.deepStrictEqual(errors("DiscoverResult", Discover.result({ ...server, hints })), [])
      }
    })
  }

  for (const version of ProtocolVersion.legacyVersions) {
    const errors = published(version)

    // verifies: TRAP-44, LO-01
    it(`fits the published schema of ${version}: notifications, which bear no stamp`, () => {
      for (const [definition, text] of [
        [
          "ToolListChangedNotification",
          Subscription.encodePlain(Subscription.listChanged("toolsListChanged"))
        ],
        [
          "PromptListChangedNotification",
          Subscription.encodePlain(Subscription.listChanged("promptsListChanged"))
        ],
        [
          "ResourceListChangedNotification",
          Subscription.encodePlain(Subscription.listChanged("resourcesListChanged"))
        ],
        ["ResourceUpdatedNotification", Subscription.encodePlain(Subscription.resourceUpdated("file:///a"))],
        ["LoggingMessageNotification", Logging.encodeMessage({ level: "info", logger: "db", data: null })]
      ] as const) {
        const message = JSON.parse(text)
        assert.deepStrictEqual(errors(definition, message), [], definition)
        assert.notProperty(message.params ?? {}, "_meta")
      }
    })
  }

  // verifies: EL-10, ER-03
  it("fits the published schema of 2025-11-25: URLs that a request waits for", () => {
    const error = new ProtocolError.UrlElicitationRequired({
      version: "2025-11-25",
      elicitations: [{ message: "Sign in", url: "https://example.com/in", elicitationId: "e-1" }]
    })
    assert.deepStrictEqual(
      published("2025-11-25")("URLElicitationRequiredError", {
        jsonrpc: "2.0",
        id: 1,
        error: { ...ProtocolError.toErrorObject(error, "legacy") }
      }),
      []
    )
  })

  it("is checked by schemas that do refuse what an older client would", () => {
    const modern = Dialect.forVersion("2026-07-28")
    const list = modern.list("tools", [modern.tool(arrayTool)], undefined, hints, identity)
    for (const version of ["2025-06-18", "2025-11-25"] as const) {
      assert.isNotEmpty(published(version)("ListToolsResult", list))
    }
    for (const version of ["2024-11-05", "2025-03-26"] as const) {
      assert.isNotEmpty(published(version)("CallToolResult", modern.callToolResult(result, tool, identity)))
    }
  })
})
