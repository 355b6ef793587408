/** The official clients behind one small interface, so that one suite drives them all. */
import { Client as ModernClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as LegacyStdioTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport as LegacyHttpTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import * as Effect from "effect/Effect"
import * as Binary from "./binary.js"

export interface Progress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

export interface ToolAnswer {
  readonly isError: boolean
  /** The text of the first block. */
  readonly text: string
  readonly structured: unknown
}

export interface PressOptions {
  readonly onProgress?: (progress: Progress) => void
  readonly signal?: AbortSignal
}

export interface Peer {
  readonly era: string | undefined
  readonly serverName: string | undefined
  readonly tools: () => Promise<ReadonlyArray<string>>
  readonly call: (name: string, args: Record<string, unknown>, options?: PressOptions) => Promise<ToolAnswer>
  readonly close: () => Promise<void>
}

/** How a peer reaches the server: it launches the binary, or it is given a URL. */
export type Place =
  | { readonly _tag: "Stdio"; readonly folder: string }
  | { readonly _tag: "Http"; readonly url: string }

export interface Kind {
  readonly name: string
  readonly era: "modern" | "legacy"
  readonly connect: (place: Place) => Promise<Peer>
}

const launch = (folder: string) => ({
  command: process.execPath,
  args: [Binary.script, "stdio", "--dir", folder],
  stderr: "ignore" as const
})

const identity = { name: "interop", version: "1.0.0" }

const answer = (result: {
  readonly [key: string]: unknown
  readonly content?: unknown
  readonly isError?: unknown
  readonly structuredContent?: unknown
}): ToolAnswer => {
  const [block] = Array.isArray(result.content) ? result.content : []
  return {
    isError: result.isError === true,
    text: typeof block?.text === "string" ? block.text : "",
    structured: result.structuredContent
  }
}

const requestOptions = ({ onProgress, signal }: PressOptions = {}) => ({
  ...(onProgress === undefined ? {} : { onprogress: onProgress }),
  ...(signal === undefined ? {} : { signal })
})

const modern =
  (mode: "auto" | { readonly pin: string }) =>
  async (place: Place): Promise<Peer> => {
    const client = new ModernClient(identity, { versionNegotiation: { mode } })
    await client.connect(
      place._tag === "Stdio"
        ? new StdioClientTransport(launch(place.folder))
        : new StreamableHTTPClientTransport(new URL(place.url))
    )
    return {
      era: client.getProtocolEra(),
      serverName: client.getServerVersion()?.name,
      tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
      call: async (name, args, options) =>
        answer(await client.callTool({ name, arguments: args }, requestOptions(options))),
      close: () => client.close()
    }
  }

const legacy = async (place: Place): Promise<Peer> => {
  const client = new LegacyClient(identity)
  await client.connect(
    place._tag === "Stdio"
      ? new LegacyStdioTransport(launch(place.folder))
      : new LegacyHttpTransport(new URL(place.url))
  )
  await client.ping()
  return {
    era: "legacy",
    serverName: client.getServerVersion()?.name,
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (name, args, options) =>
      answer(await client.callTool({ name, arguments: args }, undefined, requestOptions(options))),
    close: () => client.close()
  }
}

export const kinds: ReadonlyArray<Kind> = [
  { name: "client 2.x pinned to 2026-07-28", era: "modern", connect: modern({ pin: "2026-07-28" }) },
  { name: "client 2.x in auto mode", era: "modern", connect: modern("auto") },
  { name: "sdk 1.x", era: "legacy", connect: legacy }
]

/** A connected peer, closed with the scope. */
export const connect = (kind: Kind, place: Place) =>
  Effect.acquireRelease(
    Effect.promise(() => kind.connect(place)),
    (peer) => Effect.promise(() => peer.close())
  )
