/** A client of a handshake revision that writes raw messages, and checks all that comes back. */
import type { LegacyVersion } from "@pushbutton/protocol/ProtocolVersion"
import * as Effect from "effect/Effect"
import type { Json } from "../../support/rawHttp.js"
import { checkOf } from "./schema.js"
import type { Open } from "./wires.js"

/** What the client answers to requests of the server, by method. */
export type Answers = Readonly<Record<string, (params: Json) => Json | Promise<Json>>>

export interface Peer {
  readonly version: LegacyVersion
  /** The result of `initialize`. */
  readonly introduction: Json
  /** The response, whole. */
  readonly request: (method: string, params?: object) => Effect.Effect<Json>
  readonly call: (name: string, args?: object, meta?: object) => Effect.Effect<Json>
  readonly send: (message: Json) => Effect.Effect<void>
  /** All that the server has sent, in order. */
  readonly received: ReadonlyArray<Json>
  /** What has come since, for a client that several tests share. */
  readonly listen: () => Heard
  /** What the server has sent and this revision does not allow. */
  readonly problems: ReadonlyArray<string>
}

export interface Heard {
  readonly messages: () => ReadonlyArray<Json>
  /** The params of each message of a method. */
  readonly told: (method: string) => ReadonlyArray<Json>
  /** The first message that is wanted, once it has come. */
  readonly next: (isWanted: (message: Json) => boolean) => Effect.Effect<Json>
}

export interface Options {
  readonly version: LegacyVersion
  readonly capabilities?: object
  readonly answers?: Answers
}

export const open = (wire: Open, { answers = {}, capabilities = {}, version }: Options) =>
  Effect.gen(function* () {
    const check = checkOf(version)
    const received: Array<Json> = []
    const problems: Array<string> = []
    const asked = new Map<unknown, string>()
    const listeners = new Set<(message: Json) => void>()
    let lastId = 0

    const take = (message: Json) => {
      const problem = check(message, asked.get(message.id))
      if (problem !== undefined) problems.push(`${problem} in ${JSON.stringify(message)}`)
      received.push(message)
      if (message.method !== undefined && message.id !== undefined) {
        // A test that is over closes its connections, also under an answer; nobody looks at its problems any more.
        answer(message).catch((error) => problems.push(`${error} in the answer to ${message.method}`))
      }
      for (const listener of listeners) listener(message)
    }

    const answer = async ({ id, method, params }: Json) => {
      const respond = answers[method]
      await send(
        respond === undefined
          ? { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } }
          : { jsonrpc: "2.0", id, result: await respond(params) }
      )
    }

    const { listen, send } = yield* wire(version, (message) => {
      for (const one of Array.isArray(message) ? message : [message]) take(one)
    })

    const next = (from: number) => (isWanted: (message: Json) => boolean) =>
      Effect.async<Json>((resume) => {
        const listener = (message: Json) => {
          if (!isWanted(message)) return
          listeners.delete(listener)
          resume(Effect.succeed(message))
        }
        const before = received.slice(from).find(isWanted)
        if (before === undefined) listeners.add(listener)
        else resume(Effect.succeed(before))
      }).pipe(
        Effect.timeoutFail({
          duration: "10 seconds",
          onTimeout: () => new Error(`not heard, but ${JSON.stringify(received.slice(-5))}`)
        }),
        Effect.orDie
      )

    const request = (method: string, params?: object) =>
      Effect.suspend(() => {
        const id = ++lastId
        asked.set(id, method)
        return Effect.zipRight(
          Effect.promise(() => send({ jsonrpc: "2.0", id, method, ...(params && { params }) })),
          next(0)((message) => message.id === id && message.method === undefined)
        )
      })

    const { result: introduction } = yield* request("initialize", {
      protocolVersion: version,
      capabilities,
      clientInfo: { name: "raw", version: "1" }
    })
    yield* Effect.promise(() => send({ jsonrpc: "2.0", method: "notifications/initialized" }))
    yield* Effect.promise(listen)

    const peer: Peer = {
      version,
      introduction,
      request,
      call: (name, args = {}, meta) =>
        request("tools/call", { name, arguments: args, ...(meta && { _meta: meta }) }),
      send: (message) => Effect.promise(() => send(message)),
      received,
      listen: () => {
        const from = received.length
        return {
          messages: () => received.slice(from),
          told: (method) =>
            received.slice(from).flatMap((message) => (message.method === method ? [message.params] : [])),
          next: next(from)
        }
      },
      problems
    }
    return peer
  })
