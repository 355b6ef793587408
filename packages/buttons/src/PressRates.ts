/** How often a button is started: for each principal only so many times within a window of time. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PressRateExceeded } from "./PressRefused.js"

export interface Presser {
  /** The button's. */
  readonly slug: string
  /** Undefined where callers have no name: they share one count. */
  readonly principal: string | undefined
}

export interface Counted {
  /** The press starts now. Until then it counts as if it were to start at any moment. */
  readonly started: Effect.Effect<void>
  /** Takes the press back: it came to nothing. */
  readonly giveBack: Effect.Effect<void>
}

export class PressRates extends Context.Tag("@pushbutton/buttons/PressRates")<
  PressRates,
  {
    /** Counts a press that may go on. One that is refused is not counted. */
    readonly count: (presser: Presser) => Effect.Effect<Counted, PressRateExceeded>
  }
>() {}

export interface Options {
  /** Within one window; 10 when left out. */
  readonly presses?: number | undefined
  /** A minute when left out. */
  readonly window?: Duration.DurationInput | undefined
  /** Of how many pressers the presses are remembered; beyond that, of those that pressed last. */
  readonly maxPressers?: number | undefined
}

/** For one process. */
export const layerMemory = (options: Options = {}): Layer.Layer<PressRates> =>
  Layer.sync(PressRates, () => makeMemory(options))

const makeMemory = ({ maxPressers = 10_000, presses = 10, window = "1 minute" }: Options) => {
  const windowMillis = Duration.toMillis(window)
  // Moments by presser; the presser that pressed last comes last.
  const pressed = new Map<string, ReadonlyArray<Moment>>()
  const keep = (key: string, moments: ReadonlyArray<Moment>): void => {
    pressed.delete(key)
    if (moments.length > 0) pressed.set(key, moments)
  }
  return PressRates.of({
    count: (presser) =>
      Effect.flatMap(monotonicMillis, (now) => {
        const key = JSON.stringify([presser.slug, presser.principal ?? null])
        const recent = (pressed.get(key) ?? []).filter(({ millis }) => now - millis < windowMillis)
        if (recent.length >= presses) {
          // Nobody knows when those will start that have not yet.
          const next = recent.map(({ millis }) => Math.min(millis, now)).sort((one, other) => one - other)
          const retryAfterMillis = Math.ceil((next[recent.length - presses] ?? now) + windowMillis - now)
          return new PressRateExceeded({ slug: presser.slug, presses, windowMillis, retryAfterMillis })
        }
        const moment: Moment = { millis: Number.POSITIVE_INFINITY }
        keep(key, [...recent, moment])
        forget(pressed, maxPressers, now - windowMillis)
        return Effect.succeed({
          started: Effect.map(monotonicMillis, (startedAt) => {
            moment.millis = startedAt
            // Whoever pressed last comes last.
            keep(key, pressed.get(key) ?? [])
          }),
          giveBack: Effect.sync(() => {
            keep(
              key,
              (pressed.get(key) ?? []).filter((other) => other !== moment)
            )
          })
        })
      })
  })
}

/** An object, since two presses may be of one moment. */
interface Moment {
  /** Infinite before the press has started. */
  millis: number
}

/** Drops pressers that have not pressed since, and any beyond the limit, those first that pressed longest ago. */
const forget = (pressed: Map<string, ReadonlyArray<Moment>>, limit: number, sinceMillis: number): void => {
  for (const [key, moments] of pressed) {
    const last = Math.max(...moments.map(({ millis }) => millis))
    if (pressed.size <= limit && last > sinceMillis) return
    pressed.delete(key)
  }
}

/** Does not jump when the clock of the host is set. */
const monotonicMillis = Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos / 1_000n) / 1_000)
