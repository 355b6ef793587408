/**
 * What every `EventStore` has to do, as checks that any test runner can run; a check throws what it found. The store has
 * to have room for a few short events.
 */
import * as Data from "effect/Data"
import type { Event, EventStore } from "../EventStore.js"

export class ContractBroken extends Data.TaggedError("ContractBroken")<{
  readonly expected: unknown
  readonly found: unknown
}> {
  override get message() {
    return `Expected ${JSON.stringify(this.expected)}, found ${JSON.stringify(this.found)}`
  }
}

export interface Case {
  readonly name: string
  readonly check: (store: EventStore["Type"]) => void
}

export const cases: ReadonlyArray<Case> = [
  {
    name: "gives what came after an event, in order",
    check: (store) => {
      fill(store, "one", "s", 4)
      is(after(store, "one", "s", 1), messages("one s", 2, 4))
      is(after(store, "one", "s", 3), [])
    }
  },
  {
    name: "keeps streams apart, however their events are mixed",
    check: (store) => {
      for (const number of [0, 1, 2]) {
        for (const stream of ["a", "b"]) append(store, "one", stream, number)
      }
      is(after(store, "one", "a", 0), messages("one a", 1, 3))
      is(after(store, "one", "b", 1), messages("one b", 2, 3))
    }
  },
  {
    name: "keeps sessions apart, even where their streams have one name",
    check: (store) => {
      fill(store, "one", "s", 2)
      fill(store, "two", "s", 3)
      is(after(store, "one", "s", 0), messages("one s", 1, 2))
      is(after(store, "two", "s", 0), messages("two s", 1, 3))
      is(after(store, "three", "s", 0), undefined)
    }
  },
  {
    name: "knows no event that it was not given",
    check: (store) => {
      fill(store, "one", "s", 2)
      is(after(store, "one", "s", 2), undefined)
      is(after(store, "one", "t", 0), undefined)
    }
  },
  {
    name: "forgets a session, and no other",
    check: (store) => {
      fill(store, "one", "s", 2)
      fill(store, "two", "s", 2)
      store.forget("one")
      store.forget("never there")
      is(after(store, "one", "s", 0), undefined)
      is(after(store, "two", "s", 0), messages("two s", 1, 2))
    }
  },
  {
    name: "gives messages as they were",
    check: (store) => {
      const message = '{"text":"ä\\u2028💡"}'
      append(store, "one", "s", 0)
      store.append({ sessionId: "one", stream: "s", number: 1 }, message)
      is(after(store, "one", "s", 0), [{ number: 1, message }])
    }
  }
]

const append = (store: EventStore["Type"], sessionId: string, stream: string, number: number): boolean =>
  store.append({ sessionId, stream, number }, `${sessionId} ${stream} ${number}`)

const fill = (store: EventStore["Type"], sessionId: string, stream: string, count: number): void => {
  for (let number = 0; number < count; number++) append(store, sessionId, stream, number)
}

const after = (store: EventStore["Type"], sessionId: string, stream: string, number: number) =>
  store.after({ sessionId, stream, number })

const messages = (prefix: string, from: number, to: number): ReadonlyArray<Event> =>
  Array.from({ length: to - from }, (_, at) => ({ number: from + at, message: `${prefix} ${from + at}` }))

const is = (found: unknown, expected: unknown): void => {
  if (JSON.stringify(found) !== JSON.stringify(expected)) throw new ContractBroken({ expected, found })
}
