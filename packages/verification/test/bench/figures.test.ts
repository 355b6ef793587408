// The parts of the bench that compute: options, statistics, verdicts, tables. What it measures is no test's business.
import { assert, describe, it } from "@effect/vitest"
import { interleave, warm } from "../../bench/measure.mjs"
import { findNode } from "../../bench/node.mjs"
import { parse } from "../../bench/options.mjs"
import { measured } from "../../bench/rows.mjs"
import { quantile, summarize } from "../../bench/statistics.mjs"
import { align, bound, figure, figures } from "../../bench/table.mjs"
import { judge } from "../../bench/targets.mjs"

describe("options", () => {
  const names = ["press-1", "features"]

  it("are all benches, eight rounds and a table when left out", () => {
    assert.deepStrictEqual(parse([], names), { json: false, only: [], quick: false, rounds: 8 })
  })

  it("take a name as often as one is given, in both spellings", () => {
    const options = parse(["--only", "press-1", "--only=features", "--json", "--rounds=3", "--quick"], names)
    assert.deepStrictEqual(options, { json: true, only: ["press-1", "features"], quick: true, rounds: 3 })
  })

  it.each([
    [["--only", "press-2"], "--only takes one of: press-1, features"],
    [["--only"], "--only takes one of: press-1, features"],
    [["--rounds", "0"], "--rounds takes a whole number from 1 to 100"],
    [["--rounds"], "--rounds takes a whole number from 1 to 100"],
    [["--fast"], "Unknown option: --fast"]
  ])("refuse %j", (argv, problem) => {
    assert.deepStrictEqual(parse(argv, names), { problem })
  })
})

describe("statistics", () => {
  it("find quantiles between samples", () => {
    assert.strictEqual(quantile([10, 20, 30, 40], 0.5), 25)
    assert.strictEqual(quantile([10, 20, 30, 40], 0.25), 17.5)
    assert.strictEqual(quantile([10], 0.75), 10)
  })

  it("do not depend on the order of the samples, and leave them alone", () => {
    const samples = [40, 10, 30, 20, 50]
    assert.deepStrictEqual(summarize(samples), { min: 10, median: 30, spread: 20 / 30, count: 5 })
    assert.deepStrictEqual(samples, [40, 10, 30, 20, 50])
  })

  it("sort numbers as numbers", () => {
    assert.strictEqual(summarize([9, 100, 10])?.median, 10)
  })

  it("say nothing of no samples", () => {
    assert.isUndefined(summarize([]))
  })
})

describe("rows", () => {
  it("hold the medians, and null for whoever was not measured", () => {
    const { row } = measured({ bench: "b", unit: "us" }, { ours: [1, 3, 2], bare: [1.23456, 1.23456] })
    assert.deepStrictEqual(row, {
      bench: "b",
      unit: "us",
      ours: 2,
      bare: 1.235,
      officialSdk: null,
      effect4: null
    })
  })

  it("name the amount in a growth bench", () => {
    assert.strictEqual(measured({ bench: "b", unit: "us", n: 10 }, {}).row.n, 10)
  })
})

describe("verdicts", () => {
  const row = (bench: string, ours: number, others: object = {}) => ({
    bench,
    unit: "us",
    ours,
    bare: null,
    officialSdk: null,
    effect4: null,
    ...others
  })
  const met = (rows: Parameters<typeof judge>[0], target: NonNullable<Parameters<typeof judge>[1]>[number]) =>
    judge(rows, [target]).map(({ isMet, value }) => [value, isMet])

  it("hold a ratio against its bound, which is still met at the bound", () => {
    const target = { bench: "b", against: "bare", atMost: 2 } as const
    assert.deepStrictEqual(met([row("b", 4, { bare: 2 })], target), [[2, true]])
    assert.deepStrictEqual(met([row("b", 5, { bare: 2 })], target), [[2.5, false]])
  })

  it("hold a size against its bound where nobody is named", () => {
    assert.deepStrictEqual(met([row("b", 91)], { bench: "b", atMost: 90 }), [[91, false]])
  })

  it("hold what the most costs over the least against the same of another", () => {
    const target = { bench: "b", kind: "growth", against: "bare", atMost: 1.25 } as const
    const rows = [
      { ...row("b", 300, { bare: 210 }), n: 1000 },
      { ...row("b", 100, { bare: 10 }), n: 10 },
      { ...row("b", 120, { bare: 30 }), n: 100 }
    ]
    assert.deepStrictEqual(met(rows, target), [[1, true]])
  })

  it("are silent on what was not measured", () => {
    assert.deepStrictEqual(met([row("b", 4)], { bench: "b", against: "bare", atMost: 2 }), [])
    assert.deepStrictEqual(met([], { bench: "b", atMost: 2 }), [])
  })
})

describe("tables", () => {
  it("show figures with four digits or so", () => {
    assert.deepStrictEqual([0.1234, 12.345, 123.45, 12345.6].map(figure), [
      "0.123",
      "12.35",
      "123.5",
      "12346"
    ])
  })

  it("show a bound below one as a fraction", () => {
    assert.deepStrictEqual([2, 1, 1 / 8, 1 / 1.7].map(bound), ["2", "1", "1/8", "1/1.7"])
  })

  it("align text to the left and figures to the right", () => {
    assert.strictEqual(
      align([
        ["name", "n"],
        ["b", "100"]
      ]),
      "name    n\nb     100"
    )
  })

  it("have a line for each contender with samples", () => {
    const lines = figures([measured({ bench: "b", unit: "us", n: 5 }, { ours: [2, 4], bare: [6] })]).split(
      "\n"
    )
    assert.deepStrictEqual(
      lines.map((line) => line.split(/ {2,}/)),
      [
        ["bench", "contender", "unit", "min", "median", "spread", "samples", "ours/it"],
        ["b n=5", "ours", "us", "2.000", "3.000", "33%", "2", "1.000"],
        ["b n=5", "bare", "us", "6.000", "6.000", "0%", "1", "0.500"]
      ]
    )
  })
})

describe("taking turns", () => {
  it("gives every lane its samples, every other round backwards", async () => {
    const said: Array<string> = []
    const lane = (key: "ours" | "bare") => ({
      key,
      warmUp: async () => void said.push(`warm ${key}`),
      sample: async () => said.push(key)
    })
    const samples = await interleave([lane("ours"), lane("bare")], 3)
    assert.deepStrictEqual(said, ["warm ours", "warm bare", "ours", "bare", "bare", "ours", "ours", "bare"])
    assert.deepStrictEqual(samples, { ours: [3, 6, 7], bare: [4, 5, 8] })
  })

  it("warms until enough is done, and never for ever", async () => {
    const slices = async (each: number) => {
      let count = 0
      await warm(async () => {
        count++
        return each
      })
      return count
    }
    assert.deepStrictEqual([await slices(6000), await slices(2500), await slices(0)], [1, 2, 5])
  })
})

describe("the Node of the contenders", () => {
  const running = (node: string) => ({ execPath: "/usr/bin/node", versions: { node } })

  it("is the running one when it is the one that is meant, else the installed one, else missing", () => {
    const installed = () => "/installed"
    const none = (): string => {
      throw new Error("not installed")
    }
    assert.deepStrictEqual(findNode(running("24.1.0"), none), { path: "/usr/bin/node" })
    assert.deepStrictEqual(findNode(running("20.20.2"), installed), { path: "/installed" })
    assert.deepStrictEqual(findNode(running("26.0.0"), none), {
      missing: "The bench needs Node 24; this is Node 26.0.0."
    })
  })
})
