// One row for each thing that is measured: the median of each contender.
import { summarize } from "./statistics.mjs"

/** @typedef {"ours" | "bare" | "officialSdk" | "effect4"} Key */
/** @typedef {Partial<Record<Key, ReadonlyArray<number>>>} Samples */

export const keys = /** @type {const} */ (["ours", "bare", "officialSdk", "effect4"])

/**
 * @typedef {object} Row
 * @property {string} bench
 * @property {string} unit
 * @property {number} [n] how much there was of what a growth bench varies
 * @property {number | null} ours
 * @property {number | null} bare for a feature: ours without it
 * @property {number | null} officialSdk
 * @property {number | null} effect4 null where it was not measured
 */

/**
 * @typedef {object} Measured
 * @property {Row} row
 * @property {Samples} samples
 */

/** @param {number} value */
const rounded = (value) => Number(value.toPrecision(4))

/**
 * @param {{ readonly bench: string, readonly unit: string, readonly n?: number }} what
 * @param {Samples} samples
 * @returns {Measured}
 */
export const measured = ({ bench, n, unit }, samples) => {
  /** @param {Key} key */
  const median = (key) => {
    const summary = summarize(samples[key] ?? [])
    return summary === undefined ? null : rounded(summary.median)
  }
  const row = {
    bench,
    unit,
    ...(n === undefined ? {} : { n }),
    ours: median("ours"),
    bare: median("bare"),
    officialSdk: median("officialSdk"),
    effect4: median("effect4")
  }
  return { row, samples }
}
