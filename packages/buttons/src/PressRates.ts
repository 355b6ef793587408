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

export const makeMemory = ({
  maxPressers = 10_000,
  presses = 10,
  window = "1 minute"
}: Options = {}): PressRates["Type"] => {
  const windowMillis = Duration.toMillis(window)
  // Moments by presser; the presser that pressed last comes last.
  const pressed = new Map<string, Array<Moment>>()
  const keep = (key: string, moments: Array<Moment>): void => {
    pressed.delete(key)
    if (moments.length > 0) pressed.set(key, moments)
  }
  /** Those within the window; of as few as may be, also some that no longer are. */
  const recentOf = (key: string, now: number): Array<Moment> => {
    const isRecent = ({ millis }: Moment) => now - millis < windowMillis
    const moments = pressed.get(key) ?? []
    if (moments.length >= presses) return moments.filter(isRecent)
    const first = moments.findIndex(isRecent)
    moments.splice(0, first === -1 ? moments.length : first)
    return moments
  }
  return PressRates.of({
    count: (presser) =>
      Effect.flatMap(monotonicMillis, (now) => {
        const key = JSON.stringify([presser.slug, presser.principal ?? null])
        const recent = recentOf(key, now)
        if (recent.length >= presses) {
          // Nobody knows when those will start that have not yet.
          const next = recent.map(({ millis }) => Math.min(millis, now)).sort((one, other) => one - other)
          const retryAfterMillis = Math.ceil((next[recent.length - presses] ?? now) + windowMillis - now)
          return new PressRateExceeded({ slug: presser.slug, presses, windowMillis, retryAfterMillis })
        }
        const moment: Moment = { millis: Number.POSITIVE_INFINITY }
        recent.push(moment)
        keep(key, recent)
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
    const last = moments[moments.length - 1]
    const hasPressed =
      (last !== undefined && last.millis > sinceMillis) || moments.some(({ millis }) => millis > sinceMillis)
    if (pressed.size <= limit && hasPressed) return
    pressed.delete(key)
  }
}

/** Does not jump when the clock of the host is set. */
const monotonicMillis = Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos / 1_000n) / 1_000)
