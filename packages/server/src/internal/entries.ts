/** What a registry holds: immutable lists in the order of registration, replaced as a whole and scoped to their owners. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export interface Entries<Item> {
  /** The same array until something changes. */
  readonly current: () => ReadonlyArray<Item>
  readonly find: (key: string) => Item | undefined
  /** Adds all or, when `check` finds a problem among all that would be there, none. They leave with the scope. */
  readonly add: <E>(
    items: ReadonlyArray<Item>,
    check: (all: ReadonlyArray<Item>) => E | undefined
  ) => Effect.Effect<void, E, Scope.Scope>
  /** Whether there ever was an entry: what has been announced stays announced, if only as an empty list. */
  readonly isOffered: () => boolean
  /** Calls the listener after each change, until the function it gives is called. */
  readonly onChange: (listener: () => void) => () => void
}

export const make = <Item>(keyOf: (item: Item) => string): Entries<Item> => {
  let items: ReadonlyArray<Item> = []
  let byKey: ReadonlyMap<string, Item> = new Map()
  let offered = false
  const listeners = new Set<() => void>()

  const replace = (next: ReadonlyArray<Item>) => {
    items = next
    offered ||= next.length > 0
    byKey = new Map(items.map((item) => [keyOf(item), item]))
    for (const listener of [...listeners]) listener()
  }

  return {
    current: () => items,
    isOffered: () => offered,
    find: (key) => byKey.get(key),
    add: (added, check) =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.suspend(() => {
            const all = [...items, ...added]
            const problem = check(all)
            if (problem !== undefined) return Effect.fail(problem)
            return Effect.sync(() => replace(all))
          }),
          () => Effect.sync(() => replace(items.filter((item) => !added.includes(item))))
        )
      ),
    onChange: (listener) => {
      // Wrapped, so that the same function registered twice is two listeners.
      const entry = () => listener()
      listeners.add(entry)
      return () => void listeners.delete(entry)
    }
  }
}
