/**
 * A part of the protocol that a server may offer: its methods in each era, and what is announced of it. The
 * dispatcher knows features only as this.
 */
import type { ServerCapabilities } from "@pushbutton/protocol/Capabilities"
import type { Decision } from "../Decision.js"
import type { ExtraFilter } from "../Subscriptions.js"
import type { ListSource } from "./listSources.js"
import type { Route } from "./Route.js"

export type Handler = (route: Route) => Decision

export type Methods = Readonly<Record<string, Handler>>

export interface Feature {
  /** Whether it has something that could answer: without that its methods do not exist either. */
  readonly isOffered: () => boolean
  /** What is announced of it then. */
  readonly capabilities: ServerCapabilities
  readonly modern: Methods
  readonly legacy: Methods
  /** Its lists that change, so that subscribers are told. */
  readonly lists?: ReadonlyArray<ListSource>
  /** What it adds to the filters of subscriptions. */
  readonly filters?: ReadonlyArray<ExtraFilter>
}

/** The features of one server, asked for anew with each message, since registries change. */
export interface Features {
  readonly capabilities: () => ServerCapabilities
  /** Undefined for a method that does not exist, or whose feature offers nothing. */
  readonly find: (era: Route["era"], method: string) => Handler | undefined
  readonly lists: ReadonlyArray<ListSource>
  readonly filters: ReadonlyArray<ExtraFilter>
}

export const combine = (features: ReadonlyArray<Feature>): Features => {
  const methods = { modern: index(features, "modern"), legacy: index(features, "legacy") }
  return {
    capabilities: () =>
      Object.assign({}, ...features.filter(({ isOffered }) => isOffered()).map((one) => one.capabilities)),
    find: (era, method) => {
      const found = methods[era].get(method)
      return found?.feature.isOffered() === true ? found.handler : undefined
    },
    lists: features.flatMap(({ lists = [] }) => lists),
    filters: features.flatMap(({ filters = [] }) => filters)
  }
}

const index = (features: ReadonlyArray<Feature>, era: Route["era"]) =>
  new Map(
    features.flatMap((feature) =>
      Object.entries(feature[era]).map(([method, handler]) => [method, { feature, handler }] as const)
    )
  )
