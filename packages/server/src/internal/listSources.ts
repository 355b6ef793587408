/**
 * The lists whose changes are told. What a subscriber was told last is kept for each of them, so that a change is
 * told when the content differs from that, and not when a registry was touched or went back and forth.
 */
import * as Dialect from "@pushbutton/protocol/dialect/Dialect"
import type { JsonValue } from "@pushbutton/protocol/Json"
import type { ListMember } from "@pushbutton/protocol/Subscription"

/** A list that changes: what a registry, or a feature for it, hands over to have its changes told. */
export interface ListSource {
  /** The member of a filter that stands for the list; several sources may share one. */
  readonly member: ListMember
  /** What clients see of the list. Only compared, never sent. */
  readonly listed: (dialect: Dialect.Dialect) => JsonValue
  /** Calls the listener after each change, until the function it gives is called. */
  readonly onChange: (listener: () => void) => () => void
}

/** The content of one list at one time. Subscribers share these. */
export interface Seen {
  readonly source: object
  readonly member: ListMember
  readonly content: string
}

export interface ListSources {
  /** Watches a source until the function it gives is called. */
  readonly watch: (source: ListSource) => () => void
  /** What there is to see for a subscription of these lists. */
  readonly see: (members: ReadonlyArray<ListMember>) => Array<Seen>
  /** Brings what was seen up to date and gives the lists that differ. */
  readonly differing: (seen: Array<Seen>) => ReadonlyArray<ListMember>
}

/** A list that cannot be encoded counts as unchanged; `onProblem` is told why. */
export const make = (onChange: () => void, onProblem: (defect: unknown) => void): ListSources => {
  const contents = new Map<object, Content>()

  return {
    watch: (source) => {
      const key = {}
      const content = contentOf(source, key, onProblem)
      contents.set(key, content)
      const stop = source.onChange(() => {
        content.changed()
        onChange()
      })
      return () => {
        contents.delete(key)
        stop()
      }
    },
    see: (members) =>
      Array.from(contents.values())
        .filter(({ member }) => members.includes(member))
        .map(({ current }) => current()),
    differing: (seen) => {
      const differ: Array<ListMember> = []
      for (const [index, { content, member, source }] of seen.entries()) {
        const current = contents.get(source)?.current()
        if (current === undefined || current.content === content) continue
        seen[index] = current
        if (!differ.includes(member)) differ.push(member)
      }
      return differ
    }
  }
}

/** The newest, which leaves nothing out: a difference in any revision is one here. */
const dialect = Dialect.forVersion("2026-07-28")

interface Content {
  readonly member: ListMember
  readonly changed: () => void
  readonly current: () => Seen
}

/** Encodes a list when it is looked at, at most once for each change. */
const contentOf = (
  { listed, member }: ListSource,
  source: object,
  onProblem: (defect: unknown) => void
): Content => {
  let seen: Seen = { source, member, content: "" }
  let isCurrent = false
  return {
    member,
    changed: () => {
      isCurrent = false
    },
    current: (): Seen => {
      if (isCurrent) return seen
      isCurrent = true
      try {
        const content = JSON.stringify(listed(dialect))
        // The same content stays the same object, so that most comparisons are of one string with itself.
        if (content !== seen.content) seen = { source, member, content }
      } catch (defect) {
        onProblem(defect)
      }
      return seen
    }
  }
}
