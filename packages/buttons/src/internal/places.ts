/** Room for so many at a time: first come, first served, within bounds. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Holding from "./holding.js"

export interface Bounds {
  /** How many have a place at the same time, by the account of who enters. */
  readonly room: number
  /** How many may wait for one. */
  readonly maxWaiting: number
  readonly waitMillis: number
}

export interface Places {
  /** A place is held until the scope closes. An interruption of the wait leaves the line. */
  readonly enter: (bounds: Bounds) => Effect.Effect<"entered" | "full" | "late", never, Scope.Scope>
}

interface Place {
  readonly room: number
  readonly turn: Deferred.Deferred<void>
  isTaken: boolean
}

export const make = (): Places => {
  let taken = 0
  const waiting: Array<Place> = []

  /** Lets in whoever is first, as long as there is room for them. */
  const advance = (): void => {
    for (let first = waiting[0]; first !== undefined && taken < first.room; first = waiting[0]) {
      waiting.shift()
      taken++
      first.isTaken = true
      Deferred.unsafeDone(first.turn, Effect.void)
    }
  }

  /** Goes to the end of the line; the place is taken at once when nobody waits and there is room. */
  const join = (room: number): Place => {
    const place: Place = { room, turn: Deferred.unsafeMake(FiberId.none), isTaken: false }
    waiting.push(place)
    advance()
    return place
  }

  const leave = (place: Place): void => {
    if (place.isTaken) taken--
    else waiting.splice(waiting.indexOf(place), 1)
    advance()
  }

  return {
    enter: ({ maxWaiting, room, waitMillis }) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const mustWait = waiting.length > 0 || taken >= room
          if (mustWait && waiting.length >= maxWaiting) return "full" as const
          const place = yield* Holding.hold(() => join(room), leave)
          if (place.isTaken) return "entered" as const
          const turn = yield* restore(Effect.timeoutOption(Deferred.await(place.turn), waitMillis))
          return Option.isSome(turn) || place.isTaken ? ("entered" as const) : ("late" as const)
        })
      )
  }
}
