/** Which processes bear the mark of a press, for whoever asks at the same time. */
import * as Effect from "effect/Effect"
import { type Found, inspect, type Pass, type Seen } from "./markPass.js"

/** One pass for all of them, without a pause. */
export const lookNow = (ids: ReadonlySet<string>, found: Found = ignore): Seen => {
  const passing = inspect(new Map([...ids].map((id) => [id, [found]])))
  let step = passing.next()
  while (!step.done) step = passing.next()
  return step.value.seenOfAll()
}

const ignore: Found = () => {}

interface Request {
  readonly id: string
  readonly found: Found
  readonly answer: (seen: Effect.Effect<Seen>) => void
}

let requests: ReadonlyArray<Request> = []
let isLooking = false

/** Presses that end together share a pass, which begins after each has asked. */
export const look = (id: string, found: Found = ignore): Effect.Effect<Seen> =>
  Effect.async<Seen>((resume) => {
    const request: Request = { id, found, answer: resume }
    requests = [...requests, request]
    if (!isLooking) setImmediate(lookForAll)
    isLooking = true
    return Effect.sync(() => {
      requests = requests.filter((other) => other !== request)
    })
  })

const lookForAll = (): void => {
  const served = requests
  requests = []
  const wanted = new Map<string, Array<Found>>()
  for (const { found, id } of served) wanted.set(id, [...(wanted.get(id) ?? []), found])
  const passing = inspect(wanted)
  const go = (): void => {
    const step = stepOf(passing)
    if (!step.done) return void setImmediate(go)
    isLooking = requests.length > 0
    if (isLooking) setImmediate(lookForAll)
    for (const { answer, id } of served) answer(Effect.map(step.value, (pass) => pass.seen(id)))
  }
  go()
}

/** Nobody would hear of a defect here. */
const stepOf = (passing: Generator<void, Pass>): IteratorResult<void, Effect.Effect<Pass>> => {
  try {
    const step = passing.next()
    return step.done ? { done: true, value: Effect.succeed(step.value) } : step
  } catch (defect) {
    return { done: true, value: Effect.die(defect) }
  }
}
