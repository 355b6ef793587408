/** The headers that belong to a message, and wrong ones. */
import { isObject, type JsonValue } from "@pushbutton/protocol/Json"
import type { Random } from "./random.js"
import type { Sent } from "./request.js"

const at = (value: JsonValue | undefined, ...path: ReadonlyArray<string>): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>(
    (inner, key) =>
      inner !== undefined && isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined,
    value
  )

const isPlain = (text: string) =>
  /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/.test(text) && !text.startsWith("=?base64?")

const encoded = (text: string) =>
  isPlain(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`

const names: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId"
}

/** As a client mirrors them; what cannot stand in a header is left out. */
const mirrored = ({ message, method }: Sent): Record<string, string> => {
  const params = message["params"]
  const version = at(params, "_meta", "io.modelcontextprotocol/protocolVersion")
  const name = at(params, Object.hasOwn(names, method) ? (names[method] ?? "") : "")
  const args = at(params, "arguments")
  const mirroredArguments = [
    ["mcp-param-region", at(args, "region")],
    ["mcp-param-priority", at(args, "priority")],
    ["mcp-param-dry-run", at(args, "dryRun")],
    ["mcp-param-zone", at(args, "target", "zone")]
  ] as const
  return {
    ...(typeof version === "string" && isPlain(version) ? { "mcp-protocol-version": version } : {}),
    ...(typeof version === "string" && isPlain(method) ? { "mcp-method": method } : {}),
    ...(typeof name === "string" ? { "mcp-name": encoded(name) } : {}),
    ...Object.fromEntries(
      mirroredArguments.flatMap(([header, value]) =>
        typeof value === "string" || typeof value === "number" || typeof value === "boolean"
          ? [[header, encoded(String(value))]]
          : []
      )
    )
  }
}

const wrong: ReadonlyArray<readonly [string, string]> = [
  ["mcp-protocol-version", "2025-11-25"],
  ["mcp-protocol-version", "v999.0.0"],
  ["mcp-method", "TOOLS/LIST"],
  ["mcp-name", "=?base64?SGVsbG8?="],
  ["mcp-name", "=?base64?SGVs!!!bG8=?="],
  ["mcp-name", "\u00ff"],
  ["mcp-param-region", "=?base64?/w==?="],
  ["mcp-param-priority", "3.0"],
  ["mcp-param-priority", "99999999999999999999"],
  ["mcp-param-unknown", "x"],
  ["mcp-session-id", "gone"],
  ["accept", "image/png"],
  ["content-type", "text/plain"],
  ["origin", "https://evil.test"],
  ["traceparent", "00-zz"],
  ["last-event-id", "1"]
]

const plain = { "content-type": "application/json", accept: "application/json, text/event-stream" }

export const headersOf = (
  sent: Sent | undefined,
  random: Random
): { readonly headers: Record<string, string>; readonly areRight: boolean } => {
  const headers = { ...plain, ...(sent === undefined ? {} : mirrored(sent)) }
  if (random.chance(0.75)) return { headers, areRight: true }
  const [name, value] = random.pick(wrong)
  return { headers: { ...headers, [name]: value }, areRight: false }
}
