/** The server as Layers: the module most programs import. A transport layer on top of it serves clients. */
import type { Icon } from "@pushbutton/protocol/Implementation"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Dispatcher from "./Dispatcher.js"
import * as Allowance from "./internal/allowance.js"
import type * as Bind from "./internal/bind.js"
import { builtOnce } from "./internal/builtOnce.js"
import * as TaskRuns from "./internal/taskRuns.js"
import type * as Log from "./Log.js"
import type * as Progress from "./Progress.js"
import type { InvalidPrompt, Prompt } from "./Prompt.js"
import * as PromptRegistry from "./PromptRegistry.js"
import * as RedeemedStates from "./RedeemedStates.js"
import * as RequestState from "./RequestState.js"
import type { InvalidResource, Resource, ResourceTemplate } from "./Resource.js"
import * as ResourceRegistry from "./ResourceRegistry.js"
import * as Subscriptions from "./Subscriptions.js"
import * as TaskStore from "./TaskStore.js"
import type * as Tasks from "./Tasks.js"
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
  /** Items in one page of a list; 100 when left out. */
  readonly pageSize?: number | undefined
  /** How long clients may keep `server/discover` and lists, in milliseconds; 0 when left out. */
  readonly ttlMs?: number | undefined
  /** `public` only where every caller sees the same lists; `private` when left out. */
  readonly cacheScope?: "public" | "private" | undefined
  readonly subscriptions?: Subscriptions.Options | undefined
  readonly tasks?: TasksOptions | undefined
  /** How what a call remembers between the rounds of its asks is sealed. */
  readonly requestState?: RequestStateOptions | undefined
  /** How often one call may come back with answers before it is given up; 8 when left out. */
  readonly maxRounds?: number | undefined
  /** How handlers ask the clients of revisions before 2026-07-28. */
  readonly legacyAsks?: LegacyAskOptions | undefined
  /**
   * Whether clients are sent what handlers log (`Effect.log*`, `Log.send`): those of 2026-07-28 where a request asks for
   * it, sessions of older revisions from the level they have set, `info` before. False when left out: a server's log
   * belongs on stderr or with its telemetry.
   */
  readonly logging?: boolean | Log.Options | undefined
  /** How often the progress of one request is told. */
  readonly progress?: Progress.Options | undefined
  /**
   * Whether each request that runs a handler has a span, named by its method; false when left out. The parent is the
   * client's span where `_meta` names one, which holds for a handler's own spans in any case.
   */
  readonly tracing?: boolean | undefined
  /** `modern` serves 2026-07-28 alone: `initialize` is refused, and no session opened. `all` when left out. */
  readonly revisions?: Revisions | undefined
}

export type Revisions = "all" | "modern"

export interface RequestStateOptions extends RequestState.Options {
  /** Whether each state opens once; remembered in this process. False when left out. */
  readonly singleUse?: boolean | undefined
}

export interface LegacyAskOptions {
  /** How long the client may take to answer one question, at human pace; 10 minutes when left out. */
  readonly timeout?: Duration.DurationInput | undefined
  /**
   * `wait` lets handlers wait where they ask; when left out. `replay` runs them again with each round, as on
   * 2026-07-28: for tests, where code that must not run twice shows itself.
   */
  readonly handlers?: "wait" | "replay" | undefined
  /**
   * Whether `Ask.url` ends a call of a 2025-11-25 client that has no session with the error that names the page
   * (`-32042`). Without a session nobody knows whether the client understands it; false when left out.
   */
  readonly urlErrors?: boolean | undefined
}

export interface TasksOptions extends Tasks.Options {
  /** Where tasks are kept; in this process when left out. */
  readonly store?: Layer.Layer<TaskStore.TaskStore> | undefined
}

/** Where `tools`, `resources` and `prompts` register. */
export type Registries =
  | ToolRegistry.ToolRegistry
  | ResourceRegistry.ResourceRegistry
  | PromptRegistry.PromptRegistry

/** A server that offers nothing yet: `tools`, `resources` and `prompts` add to it, a transport serves it. */
export const layer = (
  options: Options
): Layer.Layer<Dispatcher.Dispatcher | Registries | Subscriptions.Subscriptions> =>
  Layer.scopedContext(
    Effect.flatMap(requestStates(options.requestState ?? {}), (states) => make(options, states))
  )

/** The same, with the states of calls sealed by the `RequestState` at hand. */
export const layerWithRequestState = (
  options: Options
): Layer.Layer<
  Dispatcher.Dispatcher | Registries | Subscriptions.Subscriptions,
  never,
  RequestState.RequestState
> => Layer.scopedContext(Effect.flatMap(RequestState.RequestState, (states) => make(options, states)))

/** In one layer, since each costs a start some hundred microseconds. */
const make = Effect.fnUntraced(function* (options: Options, states: RequestState.RequestState["Type"]) {
  const subscriptions = yield* Subscriptions.make(options.subscriptions)
  const { store, ...limits } = options.tasks ?? {}
  const tasks = yield* TaskRuns.make(
    { progress: options.progress, ...limits },
    store === undefined
      ? yield* TaskStore.makeMemory()
      : Context.get(yield* builtOnce(store), TaskStore.TaskStore),
    subscriptions
  )
  const registries = Context.mergeAll(
    yield* builtOnce(ToolRegistry.layer),
    yield* builtOnce(ResourceRegistry.layer),
    yield* builtOnce(PromptRegistry.layer)
  )
  const dispatcher = yield* Dispatcher.make(
    settingsOf(options, states),
    {
      tools: Context.get(registries, ToolRegistry.ToolRegistry),
      resources: Context.get(registries, ResourceRegistry.ResourceRegistry),
      prompts: Context.get(registries, PromptRegistry.PromptRegistry)
    },
    subscriptions,
    tasks
  )
  return registries.pipe(
    Context.add(Subscriptions.Subscriptions, subscriptions),
    Context.add(Dispatcher.Dispatcher, dispatcher)
  )
})

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

/** Registers resources and resource templates for as long as the layer lives. */
export const resources = <List extends ReadonlyArray<Resource<unknown> | ResourceTemplate<unknown>>>(
  ...list: List
): Layer.Layer<
  never,
  InvalidResource,
  ResourceRegistry.ResourceRegistry | Exclude<Bind.Needs<ServicesOf<List[number]>>, Scope.Scope>
> => {
  // `ServicesOf` is what each of the list needs; a generic list hides that from the compiler.
  const all = list as ReadonlyArray<
    Resource<ServicesOf<List[number]>> | ResourceTemplate<ServicesOf<List[number]>>
  >
  return Layer.scopedDiscard(
    Effect.flatMap(ResourceRegistry.ResourceRegistry, (registry) => registry.add(all))
  )
}

type ServicesOf<Item> =
  Item extends Resource<infer R> ? R : Item extends ResourceTemplate<infer R> ? R : never

/** Registers prompts for as long as the layer lives. */
export const prompts = <Needs extends ReadonlyArray<unknown>>(
  ...list: { readonly [Index in keyof Needs]: Prompt<Needs[Index]> }
): Layer.Layer<
  never,
  InvalidPrompt,
  PromptRegistry.PromptRegistry | Exclude<Bind.Needs<Needs[number]>, Scope.Scope>
> => {
  // As in `tools`.
  const all = list as ReadonlyArray<Prompt<Needs[number]>>
  return Layer.scopedDiscard(Effect.flatMap(PromptRegistry.PromptRegistry, (registry) => registry.add(all)))
}

const requestStates = ({ singleUse, ...options }: RequestStateOptions) =>
  singleUse === true
    ? Effect.map(builtOnce(RedeemedStates.layerMemory), (redeemed) =>
        RequestState.make(options, Context.get(redeemed, RedeemedStates.RedeemedStates))
      )
    : Effect.sync(() => RequestState.make(options))

const settingsOf = (options: Options, states: RequestState.RequestState["Type"]): Dispatcher.Settings => ({
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
  },
  asks: { rounds: { states, maxRounds: options.maxRounds ?? 8 }, legacy: legacyAsks(options.legacyAsks) },
  notices: { progress: Allowance.limit(options.progress), logging: logSettings(options.logging) },
  isTraced: options.tracing ?? false,
  servesLegacy: options.revisions !== "modern"
})

const legacyAsks = ({ handlers, timeout = "10 minutes", urlErrors = false }: LegacyAskOptions = {}) => ({
  timeout: Duration.decode(timeout),
  replays: handlers === "replay",
  urlErrors
})

const logSettings = (logging: boolean | Log.Options = false) => {
  if (logging === false) return undefined
  const { minimum = "debug", ...limit } = logging === true ? {} : logging
  return { minimum, limit: Allowance.limit(limit) }
}
