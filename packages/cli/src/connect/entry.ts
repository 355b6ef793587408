/** From a server to the entry that a client's configuration holds for it. Pure. */
import type * as Json from "@pushbutton/protocol/Json"
import * as Either from "effect/Either"
import type * as Client from "./Client.js"
import * as ConnectError from "./ConnectError.js"
import * as tomlText from "./internal/tomlText.js"
import * as SourceOptions from "./sourceOptions.js"

/** A server that the client launches and talks to over stdin and stdout. */
export interface StdioServer {
  readonly name: string
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: { readonly [name: string]: string }
}

/** A server that runs already and answers at a URL. */
export interface HttpServer {
  readonly name: string
  readonly url: string
}

export type Server = StdioServer | HttpServer

export interface Entry {
  readonly client: Client.Client
  readonly name: string
  /** The members of the entry, in the order they are written. */
  readonly value: Json.JsonObject
}

/** What a client launches to serve one folder of buttons. Clients start it in a folder of their own: all paths absolute. */
export const servingFolder = (paths: {
  readonly name: string
  readonly node: string
  readonly script: string
  readonly folder: string
  readonly definitions?: string | undefined
  /** More options of `pushbutton stdio`. */
  readonly options?: ReadonlyArray<string> | undefined
}): StdioServer => ({
  name: paths.name,
  command: paths.node,
  args: [
    paths.script,
    "stdio",
    ...SourceOptions.options({ definitions: undefined, ...paths }),
    ...(paths.options ?? [])
  ],
  env: {}
})

export const make = (
  client: Client.Client,
  server: Server
): Either.Either<Entry, ConnectError.EntryError> => {
  const problem = check(server)
  if (problem !== undefined) return Either.left(problem)
  if ("url" in server) {
    if (client.http === undefined) {
      return Either.left(new ConnectError.HttpNotSupported({ client: client.title }))
    }
    return Either.right({ client, name: server.name, value: { ...type(client.http), url: server.url } })
  }
  const { args, command, env, name } = server
  const variables = Object.keys(env).length === 0 ? {} : { env }
  return Either.right({ client, name, value: { ...type(client.stdio), command, args, ...variables } })
}

/** The entry as it would stand in a file that has nothing else, ready to paste; no line break at the end. */
export const render = (entry: Entry): string =>
  entry.client.format === "toml"
    ? tomlText.table([entry.client.serversKey, entry.name], entry.value).join("\n")
    : JSON.stringify({ [entry.client.serversKey]: { [entry.name]: entry.value } }, null, 2)

const type = (transport: Client.Transport): Json.JsonObject =>
  transport.type === undefined ? {} : { type: transport.type }

/** The names that every client accepts; Claude Code and Codex accept no others. */
const namePattern = /^[A-Za-z0-9_-]+$/

const check = (server: Server): ConnectError.InvalidServer | undefined => {
  const invalid = (field: string, detail: string) => new ConnectError.InvalidServer({ field, detail })
  if (!namePattern.test(server.name)) {
    return invalid("name", `${JSON.stringify(server.name)} may hold only letters, digits, "-" and "_"`)
  }
  if ("url" in server) {
    return isHttpUrl(server.url)
      ? undefined
      : invalid("url", `${JSON.stringify(server.url)} is not an http or https URL`)
  }
  if (server.command === "") return invalid("command", "is empty")
  if (!isPlainText(server.command)) return invalid("command", unwritable)
  if (!server.args.every(isPlainText)) return invalid("argument", unwritable)
  for (const [name, value] of Object.entries(server.env)) {
    if (name === "" || name.includes("=") || !isPlainText(name)) {
      return invalid("variable", `${JSON.stringify(name)} is not a name for an environment variable`)
    }
    if (!isPlainText(value)) return invalid(`variable ${name}`, unwritable)
  }
  return undefined
}

const isHttpUrl = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && isPlainText(text)

const unwritable = "holds a NUL or half a surrogate pair, which no argument or variable can carry"

const isPlainText = (text: string): boolean => !text.includes("\0") && !/\p{Surrogate}/u.test(text)
