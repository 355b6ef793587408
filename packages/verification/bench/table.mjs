// What people read: the figures, and the verdicts on them.
import { keys } from "./rows.mjs"
import { summarize } from "./statistics.mjs"

/** @typedef {import("./rows.mjs").Measured} Measured */

/** Four digits at the most, without an exponent. @param {number} value */
export const figure = (value) => {
  const size = Math.abs(value)
  return value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3)
}

/** @param {number} atMost */
export const bound = (atMost) => (atMost < 1 ? `1/${Number((1 / atMost).toFixed(2))}` : String(atMost))

/**
 * Columns as wide as their widest cell; the first is text, the others are figures.
 * @param {ReadonlyArray<ReadonlyArray<string>>} lines
 */
export const align = (lines) => {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((cells) => cells[column]?.length ?? 0))
  )
  return lines
    .map((cells) =>
      cells
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)
        )
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** @param {import("./rows.mjs").Row} row */
const nameOf = ({ bench, n }) => (n === undefined ? bench : `${bench} n=${n}`)

/**
 * One line for each contender of each row: ratio is ours over theirs, of the medians.
 * @param {ReadonlyArray<Measured>} all
 */
export const figures = (all) =>
  align([
    ["bench", "contender", "unit", "min", "median", "spread", "samples", "ours/it"],
    ...all.flatMap(({ row, samples }) =>
      keys.flatMap((key) => {
        const summary = summarize(samples[key] ?? [])
        if (summary === undefined) return []
        const ours = summarize(samples.ours ?? [])
        return [
          [
            nameOf(row),
            key,
            row.unit,
            figure(summary.min),
            figure(summary.median),
            `${(summary.spread * 100).toFixed(0)}%`,
            String(summary.count),
            ours === undefined ? "" : figure(ours.median / summary.median)
          ]
        ]
      })
    )
  ])

/** @param {ReadonlyArray<import("./targets.mjs").Verdict>} verdicts */
export const verdictTable = (verdicts) =>
  align([
    ["target", "against", "at most", "is", ""],
    ...verdicts.map(({ isMet, target: { against, atMost, bench }, value }) => [
      bench,
      against ?? "",
      bound(atMost),
      figure(value),
      isMet ? "met" : "MISSED"
    ])
  ])
