/** What `pushbutton http` prints when it serves: what there is, how to press one, how to connect a client. Pure. */
import type { Button } from "@pushbutton/buttons/Button"
import { modernVersions } from "@pushbutton/protocol/ProtocolVersion"
import * as RequestMeta from "@pushbutton/protocol/RequestMeta"

export interface Greeting {
  readonly url: string
  readonly folder: string
  /** Those that clients see. */
  readonly buttons: ReadonlyArray<Button>
  readonly hiddenCount: number
  readonly problemCount: number
  /** What a desktop client launches to serve the same folder. */
  readonly stdio: { readonly command: string; readonly args: ReadonlyArray<string> }
}

export const render = (greeting: Greeting): string =>
  [
    `Pushbutton serves ${count(greeting.buttons.length, "button")} at ${greeting.url}`,
    `from ${greeting.folder}`,
    ...remarks(greeting),
    "",
    ...greeting.buttons.map(row(greeting.buttons)),
    "",
    ...pressLine(greeting),
    "To launch it from a desktop client over stdio, put this into the client's configuration",
    "(or let `pushbutton connect CLIENT --write` do it):",
    "",
    JSON.stringify({ mcpServers: { pushbutton: greeting.stdio } }, null, 2),
    "",
    "Ctrl-C stops it."
  ].join("\n")

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`

const remarks = ({ problemCount, hiddenCount }: Greeting) => [
  ...(hiddenCount === 0 ? [] : [`${count(hiddenCount, "button")} without "mcp_enabled": true stay hidden`]),
  ...(problemCount === 0 ? [] : [`${count(problemCount, "problem")}: see \`pushbutton check\``])
]

const row = (buttons: ReadonlyArray<Button>) => {
  const width = Math.max(...buttons.map(({ slug }) => slug.length))
  return ({ description, slug }: Button) => `  ${slug.padEnd(width)}  ${description}`.trimEnd()
}

const pressLine = ({ buttons, url }: Greeting): ReadonlyArray<string> => {
  const button = buttons.find(({ args }) => args.every(({ required }) => !required))
  return button === undefined ? [] : ["Press one:", "", `  ${curl(url, button.slug)}`, ""]
}

/** One line that a POSIX shell runs; slugs need no quoting. */
const curl = (url: string, slug: string): string => {
  const [version] = modernVersions
  const body = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "buttons_press",
      arguments: { name: slug },
      _meta: { [RequestMeta.key.protocolVersion]: version, [RequestMeta.key.clientCapabilities]: {} }
    }
  }
  const headers = [
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `MCP-Protocol-Version: ${version}`,
    "Mcp-Method: tools/call",
    "Mcp-Name: buttons_press"
  ]
  return ["curl -s", url, ...headers.map((header) => `-H '${header}'`), `-d '${JSON.stringify(body)}'`].join(
    " "
  )
}
