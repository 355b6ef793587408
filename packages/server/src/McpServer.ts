/** The server as Layers: the module most programs import. A transport layer on top of it serves clients. */
import type { Icon } from "@pushbutton/protocol/Implementation"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Dispatcher from "./Dispatcher.js"
import type * as Bind from "./internal/bind.js"
import type { InvalidTool, Tool } from "./Tool.js"
import * as ToolRegistry from "./ToolRegistry.js"

export interface Options {
  /** The server's name and version, told to clients. */
  readonly name: string
  readonly version: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly websiteUrl?: string | undefined
  readonly icons?: ReadonlyArray<Icon> | undefined
  /** Guidance for the model on the server as a whole; not a repetition of the tools' descriptions. */
  readonly instructions?: string | undefined
  /** Tools in one page of `tools/list`; 100 when left out. */
  readonly pageSize?: number | undefined
  /** How long clients may keep `server/discover` and lists, in milliseconds; 0 when left out. */
  readonly ttlMs?: number | undefined
  /** `public` only where every caller sees the same lists; `private` when left out. */
  readonly cacheScope?: "public" | "private" | undefined
}

/** A server without tools yet: `tools` adds them, a transport serves them. */
export const layer = (options: Options): Layer.Layer<Dispatcher.Dispatcher | ToolRegistry.ToolRegistry> =>
  Layer.provideMerge(Dispatcher.layer(settingsOf(options)), ToolRegistry.layer)

/** Registers tools for as long as the layer lives. Fails with the name of the property that cannot be served. */
export const tools = <Needs extends ReadonlyArray<unknown>>(
  ...list: { readonly [Index in keyof Needs]: Tool<Needs[Index]> }
): Layer.Layer<
  never,
  InvalidTool,
  ToolRegistry.ToolRegistry | Exclude<Bind.Needs<Needs[number]>, Scope.Scope>
> => {
  // Each tool needs one of `Needs`, hence at most all of them; a mapped tuple hides that from the compiler.
  const all = list as ReadonlyArray<Tool<Needs[number]>>
  return Layer.scopedDiscard(Effect.flatMap(ToolRegistry.ToolRegistry, (registry) => registry.add(all)))
}

const settingsOf = (options: Options): Dispatcher.Settings => ({
  identity: {
    name: options.name,
    version: options.version,
    ...(options.title === undefined ? {} : { title: options.title }),
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.websiteUrl === undefined ? {} : { websiteUrl: options.websiteUrl }),
    ...(options.icons === undefined ? {} : { icons: options.icons })
  },
  instructions: options.instructions,
  list: {
    pageSize: options.pageSize ?? 100,
    ttlMs: options.ttlMs ?? 0,
    cacheScope: options.cacheScope ?? "private"
  }
})
