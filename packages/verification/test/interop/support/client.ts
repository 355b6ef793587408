/** The official client 1.x with every capability, connected to the everything fixture in a process of its own. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema
} from "@modelcontextprotocol/sdk/types.js"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Fixture from "../../handshake/support/fixture.js"
import type { Json } from "../../support/rawHttp.js"

/** What a client was told and asked, as method and params, and a way to wait for more. */
export interface Heard {
  readonly all: ReadonlyArray<readonly [method: string, params: Json]>
  readonly of: (method: string) => ReadonlyArray<Json>
  /** The params of the next one that is wanted, from now on. */
  readonly next: (method: string, isWanted?: (params: Json) => boolean) => Effect.Effect<Json>
}

export interface Connected {
  readonly client: Client
  readonly transport: Transport
  readonly heard: Heard
}

const listening = () => {
  const all: Array<readonly [string, Json]> = []
  const waiting = new Set<(method: string, params: Json) => void>()
  const hear = (method: string, params: Json) => {
    all.push([method, params])
    for (const one of waiting) one(method, params)
  }
  const heard: Heard = {
    all,
    of: (method) => all.flatMap(([one, params]) => (one === method ? [params] : [])),
    next: (method, isWanted = () => true) =>
      Effect.async<Json>((resume) => {
        const look = (one: string, params: Json) => {
          if (one !== method || !isWanted(params)) return
          waiting.delete(look)
          resume(Effect.succeed(params))
        }
        waiting.add(look)
      }).pipe(
        Effect.timeoutFail({ duration: "10 seconds", onTimeout: () => new Error(`${method} never came`) }),
        Effect.orDie
      )
  }
  return { hear, heard }
}

const watched = [
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
  PromptListChangedNotificationSchema
]

export const connect = (transport: Transport) =>
  Effect.acquireRelease(
    Effect.promise(async (): Promise<Connected> => {
      const { hear, heard } = listening()
      const client = new Client(
        { name: "interop", version: "1.0.0" },
        { capabilities: { roots: {}, sampling: {}, elicitation: { form: {}, url: {} } } }
      )
      for (const schema of watched) {
        client.setNotificationHandler(schema, ({ method, params }) => hear(method, params))
      }
      client.setRequestHandler(ListRootsRequestSchema, ({ method, params }) => {
        hear(method, params)
        return { roots: [{ uri: "file:///home", name: "home" }] }
      })
      client.setRequestHandler(CreateMessageRequestSchema, ({ method, params }) => {
        hear(method, params)
        return { role: "assistant", content: { type: "text", text: "Paris" }, model: "m" }
      })
      client.setRequestHandler(ElicitRequestSchema, ({ method, params }) => {
        hear(method, params)
        return params.mode === "url"
          ? { action: "accept" }
          : { action: "accept", content: { name: "Ada", username: "ada", email: "ada@example.com" } }
      })
      await client.connect(transport)
      return { client, transport, heard }
    }),
    ({ client }) => Effect.promise(() => client.close())
  )

export const overStdio = Effect.suspend(() =>
  connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [Fixture.script, "--stdio"],
      stderr: "ignore"
    })
  )
)

export const overHttp = Effect.flatMap(Fixture.Fixture, ({ url }) =>
  connect(new StreamableHTTPClientTransport(new URL(url)))
)

/** HTTP+SSE, as clients of 2024-11-05 speak it. */
export const overSse = Effect.flatMap(Fixture.Fixture, ({ sseUrl }) =>
  connect(new SSEClientTransport(new URL(sseUrl)))
)

export const transports = ["stdio", "HTTP", "HTTP+SSE"] as const

/** A connected client for each transport, for all tests of a file. */
export class Clients extends Context.Tag("verification/interop/Clients")<
  Clients,
  Readonly<Record<(typeof transports)[number], Effect.Effect<Connected>>>
>() {}

export const layer = Layer.scoped(
  Clients,
  Effect.gen(function* () {
    const context = yield* Effect.context<Fixture.Fixture | Scope.Scope>()
    return {
      stdio: yield* Effect.cached(Effect.provide(overStdio, context)),
      HTTP: yield* Effect.cached(Effect.provide(overHttp, context)),
      "HTTP+SSE": yield* Effect.cached(Effect.provide(overSse, context))
    }
  })
).pipe(Layer.provideMerge(Fixture.layer))
