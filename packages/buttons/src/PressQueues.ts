/**
 * Who may run at the same time. A button runs one press at a time and refuses others, or waits in a queue, first come,
 * first served, which it may share with other buttons.
 */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
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

interface Place {
  readonly concurrency: number
  readonly turn: Deferred.Deferred<void>
  isTaken: boolean
}

interface Line {
  running: number
  readonly waiting: Array<Place>
}

const nobody: Line = { running: 0, waiting: [] }

/** For one process: servers of the same folder do not wait for each other. */
export const layerMemory = (options: Options = {}): Layer.Layer<PressQueues> =>
  Layer.sync(PressQueues, () => makeMemory(options))

const makeMemory = ({ maxWaiting = 100, wait = "2 minutes" }: Options) => {
  const lines = new Map<string, Line>()
  const waitMillis = Duration.toMillis(wait)

  const lineOf = (id: string): Line => {
    const line = lines.get(id) ?? { running: 0, waiting: [] }
    lines.set(id, line)
    return line
  }

  /** Lets in whoever is first, as long as there is room for them. */
  const advance = (id: string): void => {
    const line = lineOf(id)
    for (let first = line.waiting[0]; first && line.running < first.concurrency; first = line.waiting[0]) {
      line.waiting.shift()
      line.running++
      first.isTaken = true
      Deferred.unsafeDone(first.turn, Effect.void)
    }
    if (line.running === 0 && line.waiting.length === 0) lines.delete(id)
  }

  const leave = (id: string, place: Place): void => {
    const line = lineOf(id)
    if (place.isTaken) line.running--
    else line.waiting.splice(line.waiting.indexOf(place), 1)
    advance(id)
  }

  /** Goes to the end of the line; the place is taken at once when nobody waits and there is room. */
  const join = (id: string, concurrency: number): Place => {
    const place: Place = { concurrency, turn: Deferred.unsafeMake(FiberId.none), isTaken: false }
    lineOf(id).waiting.push(place)
    advance(id)
    return place
  }

  return PressQueues.of({
    enter: (slug, queue) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const id = idOf(slug, queue)
          const concurrency = queue?.concurrency ?? 1
          const { running, waiting } = lines.get(id) ?? nobody
          const mustWait = waiting.length > 0 || running >= concurrency
          if (mustWait && waiting.length >= (queue === undefined ? 0 : maxWaiting)) {
            return yield* new PressBusy({ slug, queue: queue?.name, retryAfterMillis })
          }
          const place = yield* Effect.acquireRelease(
            Effect.sync(() => join(id, concurrency)),
            (taken) => Effect.sync(() => leave(id, taken))
          )
          const turn = yield* restore(Effect.timeoutOption(Deferred.await(place.turn), waitMillis))
          if (Option.isSome(turn) || place.isTaken) return
          return yield* new QueueTimedOut({
            slug,
            queue: queue?.name ?? slug,
            waitedMillis: waitMillis,
            retryAfterMillis
          })
        })
      )
  })
}

const idOf = (slug: string, queue: Queue | undefined): string =>
  JSON.stringify(queue === undefined ? [slug] : [queue.name, queue.key])
