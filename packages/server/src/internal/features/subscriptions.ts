/** `subscriptions/listen`. Every modern server has it, also where nothing it offers ever changes. */
import type { ServerCapabilities } from "@pushbutton/protocol/Capabilities"
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import * as Json from "@pushbutton/protocol/Json"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as Protocol from "@pushbutton/protocol/Subscription"
import * as Either from "effect/Either"
import type { Decision } from "../../Decision.js"
import type { ExtraFilter, Opening, Subscriptions } from "../../Subscriptions.js"
import { refuse } from "../call.js"
import type { Feature } from "../Feature.js"
import type { Route } from "../Route.js"
import * as Replies from "../reply.js"

/** `offered` tells what the whole server announces: nothing else is granted. */
export const make = (subscriptions: Subscriptions["Type"], offered: () => ServerCapabilities): Feature => ({
  isOffered: () => true,
  capabilities: {},
  modern: { "subscriptions/listen": (route) => listen(route, subscriptions, offered()) },
  legacy: {}
})

const listen = (
  route: Route,
  subscriptions: Subscriptions["Type"],
  offered: ServerCapabilities
): Decision => {
  const asked = Protocol.decode(route.params)
  if (Either.isLeft(asked)) return refuse(route, asked.left)
  const extra = honourExtra(asked.right, subscriptions.extraFilters(), route)
  if (Either.isLeft(extra)) return refuse(route, extra.left)
  const limit = subscriptions.exceeded(route.principal)
  if (limit !== undefined) return refuse(route, new ProtocolError.TooManySubscriptions({ limit }))
  return decision(subscriptions, {
    id: route.id,
    principal: route.principal,
    identity: route.identity,
    granted: Protocol.honoured(asked.right, offered, subscriptions, extra.right)
  })
}

/** Apart, so that what lives as long as the subscription keeps the opening and nothing else of the request. */
const decision = (subscriptions: Subscriptions["Type"], opening: Opening): Decision => ({
  _tag: "Listen",
  listen: {
    id: opening.id,
    open: (listener) => subscriptions.open(opening, listener),
    refuse: (reason) => Replies.error(opening.id, reason, "modern")
  }
})

const honourExtra = (
  asked: JsonObject,
  filters: ReadonlyArray<ExtraFilter>,
  caller: Route
): Either.Either<JsonObject, ProtocolError.ProtocolError> => {
  const granted: Record<string, JsonValue> = {}
  for (const { honour, member } of filters) {
    const value = Json.own(asked, member)
    if (value === undefined) continue
    const honoured = honour(value, caller)
    if (Either.isLeft(honoured)) return Either.left(honoured.left)
    if (honoured.right !== undefined) granted[member] = honoured.right
  }
  return Either.right(granted)
}
