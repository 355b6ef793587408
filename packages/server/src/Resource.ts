/**
 * The author's API for resources: a URI or a template of URIs, and a handler that reads. What matches neither is
 * answered before any handler runs.
 */
import type { Annotations } from "@pushbutton/protocol/Content"
import type { CacheHints } from "@pushbutton/protocol/dialect/Dialect"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import type * as Protocol from "@pushbutton/protocol/Resource"
import * as Uri from "@pushbutton/protocol/Uri"
import * as UriTemplate from "@pushbutton/protocol/UriTemplate"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type * as Completion from "./Completion.js"
import * as Completers from "./internal/completers.js"
import { type Description, describe } from "./internal/definition.js"
import { describeFailure } from "./internal/describeFailure.js"
import * as Immediate from "./internal/immediate.js"
import * as ResourceContents from "./ResourceContents.js"

/** A definition that cannot be served; raised when the resource is registered. */
export class InvalidResource extends Data.TaggedError("InvalidResource")<{
  readonly resource: string
  readonly property: string
  readonly detail: string
}> {
  override get message() {
    return `Resource ${JSON.stringify(this.resource)}: ${this.property} ${this.detail}`
  }
}

/**
 * What a handler fails with when there is nothing at the URI, or nothing that this caller may see: the client cannot
 * tell the two apart.
 */
export class ResourceNotFound extends Data.TaggedError("ResourceNotFound") {}

/** A resource whose handler needs the services `R`. */
export interface Resource<out R> {
  readonly _tag: "Resource"
  readonly definition: Protocol.Resource
  readonly hints: Partial<CacheHints>
  /** Reads it for the URI as it was sent. */
  readonly read: (uri: string) => Effect.Effect<ResourceContents.Reading, ProtocolError.ProtocolError, R>
}

/** A template whose handler and completers need the services `R`. */
export interface ResourceTemplate<out R> {
  readonly _tag: "ResourceTemplate"
  readonly definition: Protocol.ResourceTemplate
  readonly hints: Partial<CacheHints>
  /** Left: why the text is no template. */
  readonly template: Either.Either<UriTemplate.UriTemplate, string>
  readonly read: (
    variables: { readonly [name: string]: UriTemplate.Value },
    uri: string
  ) => Effect.Effect<ResourceContents.Reading, ProtocolError.ProtocolError, R>
  readonly completers: Completers.Completers<R>
}

interface Common extends Description {
  /** A short name for programs; hosts show the title when there is one. */
  readonly name: string
  /** Of a template: only where everything that matches has this type. */
  readonly mimeType?: string
  readonly annotations?: Annotations
  /** How long a client may keep what it read, in milliseconds; 0 when left out. */
  readonly ttlMs?: number
  /** `public` only where every caller reads the same; `private` when left out. */
  readonly cacheScope?: "public" | "private"
}

export interface Options<E, R> extends Common {
  /** Bytes of the content before any encoding. */
  readonly size?: number
  /**
   * Reads the resource. `ResourceNotFound` says that it is gone; any other typed failure becomes an error with its
   * message, and a defect one without.
   */
  readonly handler: (uri: string) => Effect.Effect<ResourceContents.ReadContent, E, R>
}

export interface TemplateOptions<Template extends string, Each, E, R> extends Common {
  /** Suggestions by variable name. */
  readonly complete?: Completion.Completers<Each>
  /** Reads what the variables name. They are decoded, and screened as `UriTemplate.match` says. */
  readonly handler: (
    variables: UriTemplate.Variables<Template>,
    uri: string
  ) => Effect.Effect<ResourceContents.ReadContent, E, R>
}

/** Defines a resource. It is checked when `McpServer.resources` registers it. */
export const make = <E, R>(uri: string, options: Options<E, R>): Resource<R> => ({
  _tag: "Resource",
  definition: {
    // Listed as RFC 3986 has it; what is no URI at all is refused by its own name.
    uri: Uri.normalize(uri) ?? uri,
    ...describeResource(options),
    ...(options.size === undefined ? {} : { size: options.size })
  },
  hints: hintsOf(options),
  read: (requested) =>
    reading(
      Immediate.suspend(() => options.handler(requested)),
      requested,
      options.mimeType
    )
})

/** Defines a family of resources by an RFC 6570 template. A resource of its own with a matching URI goes first. */
export const template = <
  const Template extends string,
  E,
  R,
  Each extends Completion.SomeOf<keyof UriTemplate.Variables<Template>> = Completion.None
>(
  uriTemplate: Template,
  options: TemplateOptions<Template, Each, E, R>
): ResourceTemplate<R | Each[keyof Each]> => {
  return {
    _tag: "ResourceTemplate",
    definition: { uriTemplate, ...describeResource(options) },
    hints: hintsOf(options),
    template: UriTemplate.parse(uriTemplate),
    read: (variables, requested) =>
      reading(
        // The type reads names and kinds off the same text that the matcher was made from.
        Immediate.suspend(() => options.handler(variables as UriTemplate.Variables<Template>, requested)),
        requested,
        options.mimeType
      ),
    completers: Completers.make<Each>(options.complete)
  }
}

const describeResource = (options: Common) => ({
  name: options.name,
  ...describe(options),
  ...(options.mimeType === undefined ? {} : { mimeType: options.mimeType }),
  ...(options.annotations === undefined ? {} : { annotations: options.annotations })
})

const hintsOf = ({ cacheScope, ttlMs }: Common): Partial<CacheHints> => ({
  ...(ttlMs === undefined ? {} : { ttlMs }),
  ...(cacheScope === undefined ? {} : { cacheScope })
})

const reading = <E, R>(
  read: Effect.Effect<ResourceContents.ReadContent, E, R>,
  uri: string,
  mimeType: string | undefined
): Effect.Effect<ResourceContents.Reading, ProtocolError.ProtocolError, R> =>
  Immediate.matchEffect(read, {
    onSuccess: (returned) => Effect.succeed(ResourceContents.from(returned, { uri, mimeType })),
    onFailure: (error) =>
      Effect.fail(
        error instanceof ResourceNotFound
          ? new ProtocolError.ResourceNotFound({ uri })
          : new ProtocolError.HandlerFailed({
              detail: describeFailure(error, "The resource could not be read.")
            })
      )
  })
