/** Which way the handler of a request asks: the revision decides, then what the exchange can carry. */
import * as Capabilities from "@pushbutton/protocol/Capabilities"
import * as InputRequired from "@pushbutton/protocol/InputRequired"
import type { JsonObject } from "@pushbutton/protocol/Json"
import type { ProtocolError } from "@pushbutton/protocol/ProtocolError"
import * as Effect from "effect/Effect"
import type { Outlet, Reply } from "../Decision.js"
import type { RandomBytes } from "../RandomBytes.js"
import type { Binding } from "../RequestState.js"
import { type Asking, unavailable } from "./asking.js"
import { left } from "./frame.js"
import { LazyClient } from "./lazyClient.js"
import type { Route } from "./Route.js"
import { Replay } from "./replay.js"
import * as Replies from "./reply.js"
import { Rounds } from "./rounds.js"
import { SessionClient } from "./sessionClient.js"
import { UrlRequired } from "./urlRequired.js"
import { Waiting } from "./waiting.js"

export interface AskWay {
  readonly asking: Asking
  /** Runs a handler that asks so. What it asks may take the place of its reply. */
  readonly run: <R>(
    handler: Effect.Effect<Reply, ProtocolError, R>
  ) => Effect.Effect<Reply, ProtocolError, R | RandomBytes>
  /** Whether it runs the handler more than once. */
  readonly runsAgain: boolean
}

export interface About {
  /** The tool's or prompt's name, or the resource's URI. */
  readonly target: string
  readonly args: JsonObject
}

export const mayRetry = ({ era, method }: Route): boolean =>
  era === "modern" && InputRequired.isAllowed(method)

export const choose = (route: Route, about: About, retry: InputRequired.Retry, outlet: Outlet): AskWay => {
  // 2026-07-28 knows no other (mrtr), and a handler must not tell revisions apart.
  if (!InputRequired.isAllowed(route.method)) return none(`${route.method} cannot ask`)
  return route.era === "modern" ? comingBack(route, about, retry) : onItsStream(route, about, outlet)
}

const none = (reason: string): AskWay => ({
  asking: unavailable(reason),
  run: (handler) => handler,
  runsAgain: false
})

const comingBack = (route: Route, about: About, retry: InputRequired.Retry): AskWay => {
  const rounds = new Rounds(route.asks.rounds, bindingOf(route, about), route.clientCapabilities, retry)
  return {
    asking: rounds,
    run: (handler) =>
      Effect.flatMap(rounds.run(handler), (reply) =>
        reply === left
          ? Effect.map(rounds.result, (asked) =>
              Replies.result(route.id, InputRequired.result(asked, route.identity))
            )
          : Effect.succeed(reply)
      ),
    runsAgain: false
  }
}

const onItsStream = (route: Route, about: About, { notify, questions }: Outlet): AskWay => {
  const { asks, session } = route
  if (session === undefined) {
    return withoutStream(route, "the server keeps no session with the client", asks.legacy.urlErrors)
  }
  if (questions === undefined) {
    const declared = Capabilities.missing({ elicitation: { url: {} } }, session.clientCapabilities)
    return withoutStream(route, "the client reads nothing before the response", declared === undefined)
  }
  const lazy = new LazyClient(
    (random) => new SessionClient(session, { notify, questions }, asks.legacy.timeout, random)
  )
  if (asks.legacy.replays) {
    const replay = new Replay(lazy, asks.rounds, bindingOf(route, about))
    return { asking: replay, run: (handler) => lazy.within(replay.run(handler)), runsAgain: true }
  }
  return {
    asking: new Waiting(lazy, asks.rounds.maxRounds),
    run: (handler) => lazy.within(handler),
    runsAgain: false
  }
}

/** Only one revision has an error that asks, and only pages can be asked for by it. */
const withoutStream = ({ dialect }: Route, reason: string, takesUrlErrors: boolean): AskWay => {
  if (dialect.version !== "2025-11-25" || !takesUrlErrors) return none(reason)
  const asking = new UrlRequired(reason)
  return { asking, run: (handler) => asking.run(handler), runsAgain: false }
}

const bindingOf = (route: Route, { args, target }: About): Binding => ({
  server: route.identity.name,
  method: route.method,
  target,
  args,
  principal: route.principal
})
