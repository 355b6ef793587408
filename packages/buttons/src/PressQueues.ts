/**
 * Who may run at the same time. A button runs one press at a time and refuses others, or waits in a queue, first come,
 * first served, which it may share with other buttons.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Holding from "./internal/holding.js"
import * as Places from "./internal/places.js"
import { PressBusy, QueueTimedOut } from "./PressRefused.js"

export interface Queue {
  readonly name: string
  /** Tells the queues of one name apart; empty for none. */
  readonly key: string
  /** How many run at the same time, by the button's own account. */
  readonly concurrency: number
}

export class PressQueues extends Context.Tag("@pushbutton/buttons/PressQueues")<
  PressQueues,
  {
    /**
     * Takes a place that is held until the scope closes. Without a queue it is the only one of the button, and is taken
     * at once or not at all. In a queue it is waited for, within a bound; an interruption leaves the queue.
     */
    readonly enter: (
      slug: string,
      queue: Queue | undefined
    ) => Effect.Effect<void, PressBusy | QueueTimedOut, Scope.Scope>
  }
>() {}

export interface Options {
  /** How long a press may wait in its queue; two minutes when left out. */
  readonly wait?: Duration.DurationInput | undefined
  /** How many presses may wait in one queue; 100 when left out. */
  readonly maxWaiting?: number | undefined
}

/** What is said to who finds no place: nobody knows when one becomes free. */
const retryAfterMillis = 1_000

/** For one process: servers of the same folder do not wait for each other. */
export const layerMemory = (options: Options = {}): Layer.Layer<PressQueues> =>
  Layer.sync(PressQueues, () => makeMemory(options))

export const makeMemory = ({ maxWaiting = 100, wait = "2 minutes" }: Options = {}): PressQueues["Type"] => {
  const queues = new Map<string, { readonly places: Places.Places; users: number }>()
  const waitMillis = Duration.toMillis(wait)

  /** The same for everybody, as long as somebody uses it. */
  const placesOf = (id: string) =>
    Holding.hold(
      () => {
        const queue = queues.get(id) ?? { places: Places.make(), users: 0 }
        queue.users++
        queues.set(id, queue)
        return queue
      },
      (queue) => {
        if (--queue.users === 0) queues.delete(id)
      }
    ).pipe(Effect.map(({ places }) => places))

  return PressQueues.of({
    enter: (slug, queue) =>
      Effect.gen(function* () {
        const places = yield* placesOf(idOf(slug, queue))
        const outcome = yield* places.enter({
          room: queue?.concurrency ?? 1,
          maxWaiting: queue === undefined ? 0 : maxWaiting,
          waitMillis
        })
        if (outcome === "full") return yield* new PressBusy({ slug, queue: queue?.name, retryAfterMillis })
        if (outcome === "late")
          return yield* new QueueTimedOut({
            slug,
            queue: queue?.name ?? slug,
            waitedMillis: waitMillis,
            retryAfterMillis
          })
      })
  })
}

const idOf = (slug: string, queue: Queue | undefined): string =>
  JSON.stringify(queue === undefined ? [slug] : [queue.name, queue.key])
