// What a list of samples comes to. Other work on the machine only ever adds to a sample, so the smallest is the least disturbed.

/**
 * @typedef {object} Summary
 * @property {number} min
 * @property {number} median
 * @property {number} spread the distance between the quartiles, as a share of the median
 * @property {number} count
 */

/**
 * Between the samples where the share falls between two of them.
 * @param {ReadonlyArray<number>} sorted at least one, in ascending order
 * @param {number} share from 0 to 1
 */
export const quantile = (sorted, share) => {
  const place = (sorted.length - 1) * share
  const below = Math.floor(place)
  const low = sorted[below] ?? Number.NaN
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? Number.NaN
  return low + (high - low) * (place - below)
}

/**
 * @param {ReadonlyArray<number>} samples
 * @returns {Summary | undefined} undefined without samples
 */
export const summarize = (samples) => {
  const sorted = [...samples].sort((one, other) => one - other)
  const [min] = sorted
  if (min === undefined) return undefined
  const median = quantile(sorted, 0.5)
  const spread = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / median
  return { min, median, spread: Number.isFinite(spread) ? spread : 0, count: sorted.length }
}
