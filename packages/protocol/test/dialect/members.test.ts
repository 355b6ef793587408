import { assert, describe, it } from "@effect/vitest"
import * as Discover from "@pushbutton/protocol/Discover"
import * as Dialect from "@pushbutton/protocol/dialect/Dialect"
import * as Initialize from "@pushbutton/protocol/Initialize"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as Json from "@pushbutton/protocol/Json"
import * as ProtocolVersion from "@pushbutton/protocol/ProtocolVersion"
import { prompt, promptResult, readResult, resource, template } from "./offers.js"
import { capabilities, hints, identity, progress, progressToken, result, tool } from "./registry.js"

/** One thing of each type, with every member there is, and blocks of content by their type. */
const written = (version: ProtocolVersion.ProtocolVersion): ReadonlyArray<readonly [string, JsonValue]> => {
  const dialect = Dialect.forVersion(version)
  const { content, ...called } = dialect.callToolResult(result, tool, identity)
  const { messages, ...prompted } = dialect.promptResult(promptResult, identity)
  const server = { identity, capabilities, instructions: "press" }
  return [
    ["tool", dialect.tool(tool)],
    ["call result", { ...called, content: null }],
    ...blocksOf(content),
    ["resource", dialect.resource(resource)],
    ["template", dialect.resourceTemplate(template)],
    ["read result", dialect.readResult(readResult, hints, identity)],
    ["prompt", dialect.prompt(prompt)],
    ["prompt result", { ...prompted, messages: null }],
    ["list", dialect.list("tools", [], "c", hints, identity)],
    ["empty result", dialect.complete({}, identity)],
    ["progress", JSON.parse(dialect.progress(progressToken)(...progress)).params],
    [
      "introduction",
      ProtocolVersion.isLegacy(version)
        ? Initialize.result(version, server)
        : Discover.result({ ...server, hints })
    ],
    ["identity", dialect.implementation(identity)],
    ["icon", dialect.implementation(identity)["icons"] ?? null]
  ]
}

/** Those that are still of the type they were given in; what becomes of the others is for the tests of content. */
const blocksOf = (content: JsonValue | undefined): ReadonlyArray<readonly [string, JsonValue]> =>
  (Array.isArray(content) ? content : []).flatMap((block: JsonObject, index) => {
    const given = result.content[index]?.type
    return block["type"] === given ? [[`${given} block`, block] as const] : []
  })

const opaque = new Set([
  "_meta",
  "inputSchema",
  "outputSchema",
  "structuredContent",
  "experimental",
  "extensions",
  "icons",
  "serverInfo"
])

const membersOf = (value: JsonValue): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => membersOf(item))
  if (!Json.isObject(value)) return []
  return Object.entries(value).flatMap(([member, inner]) => [
    member,
    ...(opaque.has(member) ? [] : membersOf(inner).map((below) => `${member}.${below}`))
  ])
}

const versions = [...ProtocolVersion.legacyVersions, ...ProtocolVersion.modernVersions].sort()

const columnOf = (version: ProtocolVersion.ProtocolVersion): ReadonlyMap<string, ReadonlySet<string>> => {
  const column = new Map<string, ReadonlySet<string>>()
  for (const [name, value] of written(version)) {
    column.set(name, new Set([...(column.get(name) ?? []), ...membersOf(value)]))
  }
  return column
}

/** For each thing its members, gathered by the revisions that have them. */
const found = () => {
  const columns = versions.map(columnOf)
  const gathered: Record<string, Record<string, string>> = {}
  for (const name of new Set(columns.flatMap((column) => Array.from(column.keys())))) {
    const rows: Record<string, string> = {}
    for (const member of new Set(columns.flatMap((column) => Array.from(column.get(name) ?? [])).sort())) {
      const marks = columns.map((column) => (column.get(name)?.has(member) === true ? "x" : "-")).join(" ")
      rows[marks] = rows[marks] === undefined ? member : `${rows[marks]} ${member}`
    }
    gathered[name] = rows
  }
  return gathered
}

/** `x` for a revision that has the members: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28. */
const expected = {
  tool: {
    "x x x x x": "description inputSchema name",
    "- x x x x":
      "annotations annotations.destructiveHint annotations.idempotentHint annotations.openWorldHint annotations.readOnlyHint annotations.title",
    "- - x x x": "_meta outputSchema title",
    "- - - x x": "icons"
  },
  "call result": {
    "x x x x x": "_meta content isError",
    "- - x x x": "structuredContent",
    "- - - - x": "resultType"
  },
  "text block": {
    "x x x x x": "annotations annotations.audience annotations.priority text type",
    "- - x x x": "_meta annotations.lastModified"
  },
  "image block": {
    "x x x x x": "annotations annotations.audience annotations.priority data mimeType type",
    "- - x x x": "_meta annotations.lastModified"
  },
  "audio block": {
    "- x x x x": "annotations annotations.audience annotations.priority data mimeType type",
    "- - x x x": "_meta annotations.lastModified"
  },
  "resource_link block": {
    "- - x x x":
      "_meta annotations annotations.audience annotations.lastModified annotations.priority description mimeType name size title type uri",
    "- - - x x": "icons"
  },
  "resource block": {
    "x x x x x":
      "annotations annotations.audience annotations.priority resource resource.blob resource.mimeType resource.text resource.uri type",
    "- - x x x": "_meta annotations.lastModified resource._meta"
  },
  resource: {
    "x x x x x": "annotations annotations.audience annotations.priority description mimeType name size uri",
    "- - x x x": "_meta annotations.lastModified title",
    "- - - x x": "icons"
  },
  template: {
    "x x x x x":
      "annotations annotations.audience annotations.priority description mimeType name uriTemplate",
    "- - x x x": "_meta annotations.lastModified title",
    "- - - x x": "icons"
  },
  "read result": {
    "x x x x x": "_meta contents contents.blob contents.mimeType contents.text contents.uri",
    "- - x x x": "contents._meta",
    "- - - - x": "cacheScope resultType ttlMs"
  },
  prompt: {
    "x x x x x": "arguments arguments.description arguments.name arguments.required description name",
    "- - x x x": "_meta arguments.title title",
    "- - - x x": "icons"
  },
  "prompt result": {
    "x x x x x": "_meta description messages",
    "- - - - x": "resultType"
  },
  list: {
    "x x x x x": "nextCursor tools",
    "- - - - x": "_meta cacheScope resultType ttlMs"
  },
  "empty result": {
    "- - - - x": "_meta resultType"
  },
  progress: {
    "x x x x x": "progress progressToken total",
    "- x x x x": "message"
  },
  introduction: {
    "x x x x x":
      "capabilities capabilities.experimental capabilities.logging capabilities.prompts capabilities.prompts.listChanged capabilities.resources capabilities.resources.listChanged capabilities.resources.subscribe capabilities.tools capabilities.tools.listChanged instructions",
    "- x x x x": "capabilities.completions",
    "x x x x -": "protocolVersion serverInfo",
    "- - - - x": "_meta cacheScope capabilities.extensions resultType supportedVersions ttlMs"
  },
  icon: { "- - - x x": "mimeType sizes src theme" },
  identity: {
    "x x x x x": "name version",
    "- - x x x": "title",
    "- - - x x": "description icons websiteUrl"
  }
}

describe("the members that each revision is written with", () => {
  // verifies: PROG-12, EN-01, EN-05, EN-09, EN-10, EN-11, EN-12, EN-13, EN-14, EN-22, EN-24, EN-25, EN-26, EN-27, EN-28, EN-29, PG-02, LC-18, LC-19, DL-21, DL-22, DL-23, DL-24, DI-04, DI-05, DI-17, DI-20
  it("are those that its schema has", () => {
    assert.deepStrictEqual<unknown>(found(), expected)
  })
})
