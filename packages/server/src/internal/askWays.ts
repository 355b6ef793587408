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
import { Frame } from "./frame.js"
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
  /** In which the handler of the request runs, or, where it runs more than once, all of its rounds. */
  readonly frame: Frame
  /** Comes ahead of the handler. */
  readonly prelude?: Effect.Effect<void, ProtocolError, RandomBytes> | undefined
  /** The reply of a request whose handler was left with something unanswered. */
  readonly whenLeft?: () => Effect.Effect<Reply, ProtocolError, RandomBytes>
  /** What is left to do when the handler has ended. */
  readonly end?: () => Effect.Effect<void> | undefined
  /** Runs the handler more than once. */
  readonly replay?: Replay
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

const none = (reason: string): AskWay => ({ asking: unavailable(reason), frame: new Frame() })

const comingBack = (route: Route, about: About, retry: InputRequired.Retry): AskWay => {
  const rounds = new Rounds(route.asks.rounds, bindingOf(route, about), route.clientCapabilities, retry)
  return {
    asking: rounds,
    frame: rounds.frame,
    prelude: rounds.prelude,
    whenLeft: () =>
      Effect.map(rounds.result, (asked) =>
        Replies.result(route.id, InputRequired.result(asked, route.identity))
      )
  }
}

const onItsStream = (route: Route, about: About, outlet: Outlet): AskWay => {
  const { asks, session } = route
  const { questions } = outlet
  if (session === undefined) {
    return withoutStream(route, "the server keeps no session with the client", asks.legacy.urlErrors)
  }
  if (questions === undefined) {
    const declared = Capabilities.missing({ elicitation: { url: {} } }, session.clientCapabilities)
    return withoutStream(route, "the client reads nothing before the response", declared === undefined)
  }
  const frame = new Frame()
  const lazy = new LazyClient(
    (random) => new SessionClient(session, { notify: outlet.notify, questions }, asks.legacy.timeout, random),
    frame
  )
  const end = () => lazy.end()
  if (!asks.legacy.replays) return { asking: new Waiting(lazy, asks.rounds.maxRounds), frame, end }
  const replay = new Replay(lazy, asks.rounds, bindingOf(route, about))
  return { asking: replay, frame, end, replay }
}

/** Only one revision has an error that asks, and only pages can be asked for by it. */
const withoutStream = ({ dialect }: Route, reason: string, takesUrlErrors: boolean): AskWay => {
  if (dialect.version !== "2025-11-25" || !takesUrlErrors) return none(reason)
  const asking = new UrlRequired(reason)
  return { asking, frame: asking.frame, whenLeft: () => asking.required }
}

const bindingOf = (route: Route, { args, target }: About): Binding => ({
  server: route.identity.name,
  method: route.method,
  target,
  args,
  principal: route.principal
})
