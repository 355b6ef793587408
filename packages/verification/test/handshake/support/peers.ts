/** One client of each handshake revision on each transport, for all tests of a file. */
import type { LegacyVersion } from "@pushbutton/protocol/ProtocolVersion"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Fixture from "./fixture.js"
import * as Peer from "./peer.js"
import { versions } from "./schema.js"
import * as Wires from "./wires.js"

export const transports = ["stdio", "HTTP", "HTTP+SSE"] as const

export type Transport = (typeof transports)[number]

export interface Service {
  readonly of: (transport: Transport, version: LegacyVersion) => Effect.Effect<Peer.Peer>
}

export class Peers extends Context.Tag("verification/handshake/Peers")<Peers, Service>() {}

export const wire = (transport: Transport) => {
  switch (transport) {
    case "stdio":
      return Effect.succeed(Wires.stdio)
    case "HTTP":
      return Effect.map(Fixture.Fixture, ({ url }) => Wires.http(url))
    case "HTTP+SSE":
      return Effect.map(Fixture.Fixture, ({ sseUrl }) => Wires.httpSse(sseUrl))
  }
}

const make = (options: Omit<Peer.Options, "version">) =>
  Effect.gen(function* () {
    const peers = new Map<string, Effect.Effect<Peer.Peer>>()
    for (const transport of transports) {
      for (const version of versions) {
        const open = Peer.open(yield* wire(transport), { ...options, version })
        peers.set(
          `${transport} ${version}`,
          yield* Effect.cached(Effect.provideService(open, Scope.Scope, yield* Effect.scope))
        )
      }
    }
    return Peers.of({
      of: (transport, version) => peers.get(`${transport} ${version}`) ?? Effect.dieMessage("no such client")
    })
  })

/** A client is opened when a test first asks for it. */
export const layer = (options: Omit<Peer.Options, "version"> = {}) =>
  Layer.scoped(Peers, make(options)).pipe(Layer.provideMerge(Fixture.layer))
