/** What `pushbutton http` prints when it serves: what there is, how to press one, how to connect a client. Pure. */
import type { Button } from "@pushbutton/buttons/Button"
import * as ButtonTools from "@pushbutton/buttons/ButtonTools"
import * as Printable from "@pushbutton/buttons/Printable"
import { modernVersions } from "@pushbutton/protocol/ProtocolVersion"
import * as RequestMeta from "@pushbutton/protocol/RequestMeta"
import * as Serving from "./connect/serving.js"
import * as Offering from "./Offering.js"

export interface Greeting {
  readonly url: string
  /** For clients that only know HTTP+SSE, where that is served. */
  readonly sseUrl: string | undefined
  readonly folder: string
  readonly definitions: string | undefined
  readonly offering: Offering.Offering
  /** Those that clients see. */
  readonly buttons: ReadonlyArray<Button>
  readonly hiddenCount: number
  readonly problemCount: number
  /** What a desktop client launches to serve the same: the program that runs the script. */
  readonly command: string
  readonly script: string
}

export const render = (greeting: Greeting): string =>
  [
    `Pushbutton serves ${count(greeting.buttons.length, "button")} at ${greeting.url}`,
    ...(greeting.sseUrl === undefined ? [] : [`and at ${greeting.sseUrl} for clients of HTTP+SSE,`]),
    `from ${Printable.line(greeting.folder)}`,
    ...(greeting.definitions === undefined ? [] : [`and from ${Printable.line(greeting.definitions)}`]),
    ...remarks(greeting),
    "",
    ...greeting.buttons.map(row(greeting.buttons)),
    "",
    ...pressLine(greeting),
    "To launch it from a desktop client over stdio, put this into the client's configuration:",
    "",
    Printable.json({ mcpServers: { pushbutton: stdio(greeting) } }),
    "",
    "or let this do it, for CLIENT one of claude-desktop, claude-code, cursor, vscode, codex:",
    "",
    `  ${commandLine(greeting, ["connect", "CLIENT", "--write"], Offering.words(greeting.offering))}`,
    "",
    "Ctrl-C stops it."
  ].join("\n")

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`

const remarks = (greeting: Greeting) => [
  ...(greeting.hiddenCount === 0
    ? []
    : [`${count(greeting.hiddenCount, "button")} without "mcp_enabled": true stay hidden`]),
  ...(greeting.problemCount === 0
    ? []
    : [`${count(greeting.problemCount, "problem")}, explained by`, `  ${commandLine(greeting, ["check"])}`])
]

/** A command on the same folder, as one line that a POSIX shell runs. */
const commandLine = (
  greeting: Greeting,
  words: ReadonlyArray<string>,
  more: ReadonlyArray<string> = []
): string =>
  [greeting.command, greeting.script, ...words, ...Serving.options(greeting), ...more].map(quoted).join(" ")

const stdio = (greeting: Greeting) => ({
  command: greeting.command,
  args: [greeting.script, "stdio", ...Serving.options(greeting), ...Offering.words(greeting.offering)]
})

const quoted = (word: string): string =>
  /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

const row = (buttons: ReadonlyArray<Button>) => {
  const width = Math.max(...buttons.map(({ slug }) => slug.length))
  return ({ description, slug }: Button) =>
    Printable.line(`  ${slug.padEnd(width)}  ${description.trim()}`).trimEnd()
}

const pressLine = ({ buttons, offering, url }: Greeting): ReadonlyArray<string> => {
  const button = buttons.find(({ args }) => args.every(({ required }) => !required))
  if (button === undefined) return []
  const call =
    offering.mode === "tools"
      ? { name: ButtonTools.nameOf(button), arguments: {} }
      : { name: "buttons_press", arguments: { name: button.slug } }
  return ["Press one:", "", `  ${curl(url, call)}`, ""]
}

/** One line that a POSIX shell runs; slugs and names of tools need no quoting. */
const curl = (url: string, call: { readonly name: string; readonly arguments: object }): string => {
  const [version] = modernVersions
  const body = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      ...call,
      _meta: { [RequestMeta.key.protocolVersion]: version, [RequestMeta.key.clientCapabilities]: {} }
    }
  }
  const headers = [
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `MCP-Protocol-Version: ${version}`,
    "Mcp-Method: tools/call",
    `Mcp-Name: ${call.name}`
  ]
  return ["curl -s", url, ...headers.map((header) => `-H '${header}'`), `-d '${JSON.stringify(body)}'`].join(
    " "
  )
}
