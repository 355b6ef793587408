/** The resources and resource templates a server offers. */
import type { CacheHints } from "@pushbutton/protocol/dialect/Dialect"
import type * as Protocol from "@pushbutton/protocol/Resource"
import * as Uri from "@pushbutton/protocol/Uri"
import * as UriTemplate from "@pushbutton/protocol/UriTemplate"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { bind, type Needs } from "./internal/bind.js"
import type { Invoke } from "./internal/call.js"
import * as Completers from "./internal/completers.js"
import * as Definition from "./internal/definition.js"
import * as Entries from "./internal/entries.js"
import { InvalidResource, type Resource, type ResourceTemplate } from "./Resource.js"
import type { Reading } from "./ResourceContents.js"

export interface RegisteredResource {
  readonly _tag: "Resource"
  readonly definition: Protocol.Resource
  readonly hints: Partial<CacheHints>
  readonly read: (uri: string) => Invoke<Reading>
}

export interface RegisteredTemplate {
  readonly _tag: "ResourceTemplate"
  readonly definition: Protocol.ResourceTemplate
  readonly hints: Partial<CacheHints>
  readonly template: Either.Either<UriTemplate.UriTemplate, string>
  readonly read: (variables: { readonly [name: string]: UriTemplate.Value }, uri: string) => Invoke<Reading>
  readonly completion: Completers.Completion
}

/** What a URI names: hand the request over to read it. */
export interface Found {
  readonly hints: Partial<CacheHints>
  readonly read: Invoke<Reading>
}

export class ResourceRegistry extends Context.Tag("@pushbutton/server/ResourceRegistry")<
  ResourceRegistry,
  {
    /** Adds all of them or, when one cannot be served, none. They leave with the scope. */
    readonly add: <R>(
      resources: ReadonlyArray<Resource<R> | ResourceTemplate<R>>
    ) => Effect.Effect<void, InvalidResource, Needs<R> | Scope.Scope>
    /** In the order of registration; the same array until something comes or goes. */
    readonly resources: () => ReadonlyArray<RegisteredResource>
    readonly templates: () => ReadonlyArray<RegisteredTemplate>
    /**
     * The resource of a URI, else the first template that matches. `normalized` is the spelling that
     * `Uri.normalize` gives; `uri` is what the handler gets to see.
     */
    readonly find: (normalized: string, uri: string) => Found | undefined
    /** The completion of a template's text, or of what a URI names. */
    readonly completion: (templateOrUri: string) => Completers.Completion | undefined
    /** Whether there ever was one: what has been announced stays announced, if only as an empty list. */
    readonly isOffered: () => boolean
    /** Calls the listener after each change, of templates too, until the function it gives is called. */
    readonly onChange: (listener: () => void) => () => void
  }
>() {}

type Registered = RegisteredResource | RegisteredTemplate

export const make = (): ResourceRegistry["Type"] => {
  const entries = Entries.make<Registered>(keyOf)
  const resources = picked(entries.current, (item) => (item._tag === "Resource" ? [item] : []))
  const templates = picked(entries.current, (item) => (item._tag === "ResourceTemplate" ? [item] : []))

  const matching = (normalized: string) => {
    for (const item of templates()) {
      if (Either.isLeft(item.template)) continue
      const variables = UriTemplate.match(item.template.right, normalized)
      if (variables !== undefined) return { item, variables }
    }
    return undefined
  }

  return ResourceRegistry.of({
    resources,
    templates,
    isOffered: entries.isOffered,
    onChange: entries.onChange,
    find: (normalized, uri) => {
      const own = entries.find(resourceKey(normalized))
      if (own?._tag === "Resource") return { hints: own.hints, read: own.read(uri) }
      const matched = matching(normalized)
      return matched && { hints: matched.item.hints, read: matched.item.read(matched.variables, uri) }
    },
    completion: (templateOrUri) => {
      const named = entries.find(templateKey(templateOrUri))
      if (named?._tag === "ResourceTemplate") return named.completion
      const normalized = Uri.normalize(templateOrUri)
      if (normalized === undefined) return undefined
      if (entries.find(resourceKey(normalized)) !== undefined) return nothingToComplete
      return matching(normalized)?.item.completion
    },
    add: <R>(added: ReadonlyArray<Resource<R> | ResourceTemplate<R>>) =>
      Effect.flatMap(Effect.context<Needs<R>>(), (services) => {
        const registered = added.map((item) => register(item, services))
        return entries.add(registered, (all) => firstProblem(all, registered))
      })
  })
}

export const layer: Layer.Layer<ResourceRegistry> = Layer.sync(ResourceRegistry, make)

const nothingToComplete: Completers.Completion = { names: new Set(), completers: new Map() }

const resourceKey = (normalized: string) => `resource ${normalized}`
const templateKey = (uriTemplate: string) => `template ${uriTemplate}`

const keyOf = (item: Registered): string =>
  item._tag === "Resource" ? resourceKey(item.definition.uri) : templateKey(item.definition.uriTemplate)

/** A part of a list that stays the same array as long as the list does. */
const picked = <Item, Part>(
  current: () => ReadonlyArray<Item>,
  pick: (item: Item) => ReadonlyArray<Part>
) => {
  let from: ReadonlyArray<Item> | undefined
  let parts: ReadonlyArray<Part> = []
  return (): ReadonlyArray<Part> => {
    const list = current()
    if (list !== from) {
      from = list
      parts = list.flatMap(pick)
    }
    return parts
  }
}

const register = <R>(
  item: Resource<R> | ResourceTemplate<R>,
  services: Context.Context<Needs<R>>
): Registered => {
  const run = bind<R>(services)
  if (item._tag === "Resource") {
    return {
      ...item,
      read:
        (uri: string): Invoke<Reading> =>
        (use) =>
          run(item.read(uri), use)
    }
  }
  const { completers, read, ...rest } = item
  return {
    ...rest,
    read:
      (variables: { readonly [name: string]: UriTemplate.Value }, uri: string): Invoke<Reading> =>
      (use) =>
        run(read(variables, uri), use),
    completion: Completers.bindAll(variableNames(item), completers, services)
  }
}

const variableNames = ({ template }: { readonly template: RegisteredTemplate["template"] }) =>
  Either.isRight(template) ? template.right.variables : []

const firstProblem = (
  all: ReadonlyArray<Registered>,
  added: ReadonlyArray<Registered>
): InvalidResource | undefined => {
  const keys = all.map(keyOf)
  for (const item of added) {
    const found = problemOf(item) ?? duplicate(item, keys)
    if (found !== undefined) return new InvalidResource({ resource: textOf(item), ...found })
  }
  return undefined
}

const textOf = (item: Registered): string =>
  item._tag === "Resource" ? item.definition.uri : item.definition.uriTemplate

const duplicate = (item: Registered, keys: ReadonlyArray<string>): Definition.Problem | undefined =>
  keys.filter((key) => key === keyOf(item)).length > 1
    ? Definition.problem(item._tag === "Resource" ? "uri" : "uriTemplate", "is taken by another resource")
    : undefined

const problemOf = (item: Registered): Definition.Problem | undefined => {
  const { annotations, icons, mimeType, name } = item.definition
  return (
    addressProblem(item) ??
    (name === "" ? Definition.problem("name", "must not be empty") : undefined) ??
    Definition.mimeTypeProblem(mimeType) ??
    Definition.annotationsProblem(annotations) ??
    Definition.iconsProblem(icons) ??
    Definition.countProblem("ttlMs", item.hints.ttlMs)
  )
}

const addressProblem = (item: Registered): Definition.Problem | undefined => {
  if (item._tag === "ResourceTemplate") {
    return Either.isLeft(item.template)
      ? Definition.problem("uriTemplate", item.template.left)
      : Completers.completersProblem(item.completion.completers, item.template.right.variables)
  }
  return Uri.normalize(item.definition.uri) === undefined
    ? Definition.problem("uri", "has to be an absolute URI")
    : Definition.countProblem("size", item.definition.size)
}
