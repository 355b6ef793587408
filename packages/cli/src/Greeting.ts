/** What `pushbutton http` prints when it serves: what there is, how to press one, how to connect a client. Pure. */
import type { Button } from "@pushbutton/buttons/Button"
import * as ButtonTools from "@pushbutton/buttons/ButtonTools"
import * as Printable from "@pushbutton/buttons/Printable"
import { modernVersions } from "@pushbutton/protocol/ProtocolVersion"
import * as RequestMeta from "@pushbutton/protocol/RequestMeta"
import * as Counts from "./Counts.js"
import * as SourceOptions from "./connect/sourceOptions.js"
import * as Offering from "./Offering.js"

export interface Greeting {
  readonly url: string
  /** For clients that only know HTTP+SSE, where that is served. */
  readonly sseUrl: string | undefined
  /** Where the buttons are. */
  readonly place: string
  /** What `--dir` names it by. */
  readonly folder: string
  readonly definitions: string | undefined
  /** What the definitions file has, in words; undefined for nothing. */
  readonly defined: string | undefined
  readonly modernOnly: boolean
  readonly stateless: boolean
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
    `Pushbutton serves ${Counts.of(greeting.buttons.length, "button")} at ${greeting.url}`,
    ...(greeting.sseUrl === undefined ? [] : [`and at ${greeting.sseUrl} for clients of HTTP+SSE,`]),
    `from ${Printable.line(greeting.place)}`,
    ...fileLine(greeting),
    ...remarks(greeting),
    "",
    ...buttonLines(greeting),
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

const fileLine = ({ defined, definitions }: Greeting) => {
  if (definitions === undefined) return []
  return [Printable.line(`and from ${definitions}${defined === undefined ? "" : `, which has ${defined}`}`)]
}

const buttonLines = (greeting: Greeting): ReadonlyArray<string> => {
  const { buttons, hiddenCount } = greeting
  if (buttons.length > 0) return [...buttons.map(row(buttons)), ""]
  if (hiddenCount > 0) return []
  const create = commandLine(greeting, ["create", "hello", "--code", "echo hello", "--enabled"])
  return ["There is none yet. This makes one:", "", `  ${create}`, ""]
}

const remarks = (greeting: Greeting) => [
  ...(greeting.hiddenCount === 0
    ? []
    : [
        `${Counts.of(greeting.hiddenCount, "button")} without "mcp_enabled": true ${greeting.hiddenCount === 1 ? "stays" : "stay"} hidden`
      ]),
  ...(greeting.modernOnly ? ["Clients of the revisions before 2026-07-28 are refused (--modern-only)"] : []),
  ...(greeting.stateless ? ["Clients of the revisions before 2026-07-28 get no sessions (--stateless)"] : []),
  ...(greeting.problemCount === 0
    ? []
    : [
        `${Counts.of(greeting.problemCount, "problem")}, explained by`,
        `  ${commandLine(greeting, ["check"])}`
      ])
]

/** A command on the same folder, as one line that a POSIX shell runs. */
const commandLine = (
  greeting: Greeting,
  words: ReadonlyArray<string>,
  more: ReadonlyArray<string> = []
): string =>
  [greeting.command, greeting.script, ...words, ...SourceOptions.options(greeting), ...more]
    .map(quoted)
    .join(" ")

const stdio = (greeting: Greeting) => ({
  command: greeting.command,
  args: [greeting.script, "stdio", ...SourceOptions.options(greeting), ...Offering.words(greeting.offering)]
})

const quoted = (word: string): string =>
  /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

const row = (buttons: ReadonlyArray<Button>) => {
  const width = Math.max(...buttons.map(({ slug }) => slug.length))
  return ({ description, slug }: Button) =>
    Printable.line(`  ${slug.padEnd(width)}  ${description.trim()}`).trimEnd()
}

const pressLine = ({ buttons, offering, url }: Greeting): ReadonlyArray<string> => {
  const button = buttons.find(needsNothing) ?? buttons.find(({ args }) => args.every(isPlain))
  if (button === undefined) return []
  const args = Object.fromEntries(button.args.filter(({ required }) => required).map(example))
  const call =
    offering.mode === "tools"
      ? { name: ButtonTools.nameOf(button), arguments: args }
      : { name: "buttons_press", arguments: { name: button.slug, ...(needsNothing(button) ? {} : { args }) } }
  const how = needsNothing(button) ? "Press one:" : "Press one, with arguments of your own:"
  return [how, "", `  ${curl(url, call)}`, ""]
}

const needsNothing = ({ args }: Button) => args.every(({ required }) => !required)

type Argument = Button["args"][number]

/** Whether a tool for the button calls the argument by its name too, and a shell takes it and its values as they are. */
const isPlain = ({ name, values }: Argument) => [name, ...values].every((text) => /^[\w-]{1,64}$/.test(text))

const example = ({ name, type, values }: Argument): readonly [string, string | number | boolean] => {
  switch (type) {
    case "int":
      return [name, 1]
    case "bool":
      return [name, true]
    case "enum":
      return [name, values[0] ?? ""]
    case "string":
      return [name, name.toUpperCase()]
  }
}

/** One line that a POSIX shell runs; nothing of it needs quoting. */
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
