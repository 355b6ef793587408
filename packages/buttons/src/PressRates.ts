/** How often a button is pressed: of each button and principal only so many presses within a window of time. */
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
  // Moments by presser, oldest first; the presser that pressed last comes last.
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
        const oldest = recent[recent.length - presses]
        if (oldest !== undefined) {
          const retryAfterMillis = Math.ceil(oldest.millis + windowMillis - now)
          return new PressRateExceeded({ slug: presser.slug, presses, windowMillis, retryAfterMillis })
        }
        const moment: Moment = { millis: now }
        keep(key, [...recent, moment])
        forget(pressed, maxPressers, now - windowMillis)
        return Effect.succeed({
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
  readonly millis: number
}

/** Drops pressers that have not pressed since, and any beyond the limit, those first that pressed longest ago. */
const forget = (pressed: Map<string, ReadonlyArray<Moment>>, limit: number, sinceMillis: number): void => {
  for (const [key, moments] of pressed) {
    const last = moments[moments.length - 1]
    if (pressed.size <= limit && last !== undefined && last.millis > sinceMillis) return
    pressed.delete(key)
  }
}

/** Does not jump when the clock of the host is set. */
const monotonicMillis = Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos / 1_000n) / 1_000)
