/**
 * What open `subscriptions/listen` requests and legacy sessions are told. Events are collected over a short window and told once; the
 * change of a list is told when its content differs from what the subscriber was told last. A peer that stalls
 * holds up nobody: what waits for it is kept small, by the rules of `Limits.maxPending`.
 */
import type { JsonObject, JsonValue } from "@pushbutton/protocol/Json"
import type * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import type { ListMember } from "@pushbutton/protocol/Subscription"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Listener, Subscription } from "./Decision.js"
import * as ListSources from "./internal/listSources.js"
import * as Subscribers from "./internal/subscribers.js"

export type { ListSource } from "./internal/listSources.js"
export type { Event, Opening } from "./internal/subscribers.js"

export interface Options {
  /** How long events are collected before they are told; 100 milliseconds when left out. */
  readonly window?: Duration.DurationInput | undefined
  /** Subscriptions that may be open at a time; 10,000 when left out. */
  readonly max?: number | undefined
  /** The same for one verified caller; 64 when left out. Callers that nobody verifies count in `max` only. */
  readonly maxPerPrincipal?: number | undefined
  /**
   * Events that may wait for a subscriber that takes none; 256 when left out. Equal events are one, and only the
   * newest is sent. Beyond the limit, updates below a resource that the subscriber names become one update of that
   * resource, and of the events of extensions the oldest is dropped. List changes are never dropped.
   */
  readonly maxPending?: number | undefined
  /**
   * Resources that one subscription may name; those beyond are not granted. 1,000 when left out. Nor are those
   * granted that are no URI, or with which a filter becomes longer than `maxFilterLength` of the protocol's module.
   */
  readonly maxResources?: number | undefined
  /**
   * The length of all names that legacy sessions subscribe to, in UTF-16 units and 200 more for each; 33,554,432 when
   * left out. Beyond it a session is refused one more.
   */
  readonly maxSessionNames?: number | undefined
}

/** Who asks for a subscription. */
export interface Caller {
  readonly principal: string | undefined
  readonly clientCapabilities: JsonObject
}

/** A member that an extension adds to filters, such as `taskIds`. */
export interface ExtraFilter {
  readonly member: string
  /** What of the value asked for this caller is granted; undefined for nothing, an error refuses the request. */
  readonly honour: (
    asked: JsonValue,
    caller: Caller
  ) => Either.Either<JsonValue | undefined, ProtocolError.ProtocolError>
}

export class Subscriptions extends Context.Tag("@pushbutton/server/Subscriptions")<
  Subscriptions,
  {
    /**
     * Tells the subscribers that name this resource, or one that it lies below, that it has changed. However the URI
     * is spelled here, each of them is told in the spelling that it asked for. What is no URI is told to nobody.
     */
    readonly resourceUpdated: (uri: string) => Effect.Effect<void>
    /** Tells an event of an extension. */
    readonly publish: (event: Subscribers.Event) => Effect.Effect<void>
    /** Tells the changes of a list for as long as the scope lives. */
    readonly watch: (source: ListSources.ListSource) => Effect.Effect<void, never, Scope.Scope>
    /** Honours a member of an extension for as long as the scope lives. */
    readonly extend: (filter: ExtraFilter) => Effect.Effect<void, never, Scope.Scope>
    readonly extraFilters: () => ReadonlyArray<ExtraFilter>
    readonly maxResources: number
    /** The limit that one more subscription of this caller would exceed. */
    readonly exceeded: (principal: string | undefined) => number | undefined
    readonly open: (opening: Subscribers.Opening, listener: Listener) => Subscription
    /** A legacy session, which is told of these lists, and of the resources it names later. */
    readonly openSession: (lists: ReadonlyArray<ListMember>, wake: () => void) => Subscribers.SessionEntry
    /** The subscriptions that are open. */
    readonly size: () => number
  }
>() {}

/** `Subscriptions.resourceUpdated` of the service at hand. */
export const resourceUpdated = (uri: string): Effect.Effect<void, never, Subscriptions> =>
  Effect.flatMap(Subscriptions, (subscriptions) => subscriptions.resourceUpdated(uri))

export const make = (options: Options = {}): Effect.Effect<Subscriptions["Type"], never, Scope.Scope> =>
  Effect.gen(function* () {
    const maxResources = options.maxResources ?? 1000
    const happened = yield* Effect.makeLatch()
    let problems: ReadonlyArray<unknown> = []
    const lists = ListSources.make(
      () => subscribers.listChanged(),
      (defect) => {
        problems = [...problems, defect]
        happened.unsafeOpen()
      }
    )
    const subscribers = Subscribers.make(
      {
        max: options.max ?? 10_000,
        maxPerPrincipal: options.maxPerPrincipal ?? 64,
        maxPending: options.maxPending ?? 256,
        maxResources,
        maxSessionNames: options.maxSessionNames ?? 32 * 1024 * 1024
      },
      lists,
      () => happened.unsafeOpen()
    )
    const extra = new Set<ExtraFilter>()

    const tell = Effect.suspend(() => {
      happened.unsafeClose()
      return Effect.forEach(subscribers.collect(), wake, { discard: true })
    })
    const logProblems = Effect.suspend(() => {
      const found = problems
      problems = []
      return Effect.forEach(found, logProblem, { discard: true })
    })
    const loop = Effect.forever(
      happened.await.pipe(
        Effect.zipRight(Effect.sleep(options.window ?? "100 millis")),
        Effect.zipRight(tell),
        Effect.zipRight(logProblems)
      )
    )
    // A layer may be built where nothing can be interrupted; the loop has to end with its scope all the same.
    yield* Effect.forkScoped(Effect.interruptible(loop))

    return Subscriptions.of({
      resourceUpdated: (uri) => Effect.sync(() => subscribers.resourceUpdated(uri)),
      publish: (event) => Effect.sync(() => subscribers.publish(event)),
      watch: (source) =>
        Effect.asVoid(
          Effect.acquireRelease(
            Effect.sync(() => lists.watch(source)),
            (stop) => Effect.sync(stop)
          )
        ),
      extend: (filter) =>
        Effect.acquireRelease(
          Effect.sync(() => void extra.add(filter)),
          () => Effect.sync(() => void extra.delete(filter))
        ),
      extraFilters: () => Array.from(extra),
      maxResources,
      exceeded: subscribers.exceeded,
      open: subscribers.open,
      openSession: subscribers.openSession,
      size: subscribers.size
    })
  })

export const layer = (options: Options = {}): Layer.Layer<Subscriptions> =>
  Layer.scoped(Subscriptions, make(options))

const logProblem = (defect: unknown) => Effect.logError("The changes of a list cannot be told", defect)

const wake = (listener: Pick<Listener, "wake">): Effect.Effect<void> =>
  Effect.catchAllDefect(
    Effect.sync(() => listener.wake()),
    (defect) => Effect.logError("A subscription could not be served", defect)
  )
