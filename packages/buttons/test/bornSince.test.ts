import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as BornSince from "../src/internal/bornSince.js"

const leader = 500

/** A system in which something happens before each look: that is when a wrong order of looks would miss somebody. */
const system = (events: ReadonlyArray<(system: Processes) => void>) => {
  const processes: Processes = { last: leader, family: new Set(), strangers: new Set() }
  let at = 0
  const happen = () => events[at++]?.(processes)
  return {
    processes,
    last: () => {
      happen()
      return processes.last
    },
    isStranger: (pid: number) => {
      happen()
      return !processes.family.has(pid)
    }
  }
}

interface Processes {
  last: number
  /** Numbers of what the leader has started, as long as it lives. */
  readonly family: Set<number>
  readonly strangers: Set<number>
}

const bear = (into: "family" | "strangers") => (processes: Processes) => {
  processes.last++
  processes[into].add(processes.last)
}

/** One of the family starts another and ends: the mark moves on to a higher number. */
const moveOn = (processes: Processes) => {
  const [first] = processes.family
  if (first === undefined) return
  bear("family")(processes)
  processes.family.delete(first)
}

const end = (processes: Processes) => {
  const [first] = processes.family
  if (first !== undefined) processes.family.delete(first)
}

const event = FastCheck.constantFrom(bear("strangers"), moveOn, moveOn, end, () => {})

describe("bornSince", () => {
  it("never misses what runs, whatever begins and ends while it looks", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.constantFrom(bear("family"), bear("strangers")), { maxLength: 6 }),
        FastCheck.array(event, { maxLength: 60 }),
        (before, meanwhile) => {
          const { isStranger, last, processes } = system(meanwhile)
          for (const happen of before) happen(processes)
          const isNothingLeft = BornSince.isNothingLeft(leader, isStranger, last)
          assert.isTrue(!isNothingLeft || processes.family.size === 0)
        }
      ),
      { numRuns: 2_000 }
    )
  })

  it("knows without a look that nothing was started", () => {
    const isStranger = () => assert.fail("looked")
    assert.isTrue(BornSince.isNothingLeft(leader, isStranger, () => leader))
  })

  it("looks past strangers", () => {
    const looked: Array<number> = []
    const isStranger = (pid: number) => looked.push(pid) > 0
    assert.isTrue(BornSince.isNothingLeft(leader, isStranger, () => leader + 3))
    assert.deepStrictEqual(looked, [leader + 1, leader + 2, leader + 3])
  })

  it.each([
    ["nobody tells the last number", () => undefined],
    ["the numbers have gone round", () => leader - 1],
    ["too many have come up", () => leader + 65]
  ])("knows nothing when %s", (_, last) => {
    assert.isFalse(BornSince.isNothingLeft(leader, () => true, last))
  })

  it("gives up where there is always another one", () => {
    let last = leader
    assert.isFalse(
      BornSince.isNothingLeft(
        leader,
        () => true,
        () => ++last
      )
    )
  })
})
