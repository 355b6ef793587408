// What the figures are held against, as ratios within one run, and as sizes where memory is meant.

/** @typedef {import("./rows.mjs").Row} Row */

/**
 * @typedef {object} Target
 * @property {string} bench
 * @property {"bare" | "officialSdk" | "effect4"} [against] a ratio of medians; left out, the figure itself is held against `atMost`
 * @property {number} atMost
 * @property {"growth"} [kind] what the largest n costs over the smallest, against the same of `against`
 */

/** @type {ReadonlyArray<Target>} */
export const targets = [
  { bench: "http-tools-call", against: "bare", atMost: 2 },
  { bench: "http-tools-call", against: "officialSdk", atMost: 1 / 8 },
  { bench: "http-tools-call", against: "effect4", atMost: 1 / 5 },
  { bench: "http-legacy-tools-call", against: "officialSdk", atMost: 1 / 5 },
  { bench: "http-tools-list", against: "officialSdk", atMost: 1 / 10 },
  { bench: "growth-tools", kind: "growth", against: "bare", atMost: 1.25 },
  { bench: "http-sse-progress", against: "bare", atMost: 1.6 },
  { bench: "http-sse-progress", against: "officialSdk", atMost: 1 / 2 },
  { bench: "http-sse-burst", against: "bare", atMost: 1.5 },
  { bench: "stdio-tools-call-1", against: "officialSdk", atMost: 1 / 1.7 },
  { bench: "stdio-tools-call-8", against: "officialSdk", atMost: 1 / 3.5 },
  { bench: "stdio-tools-call-64", against: "officialSdk", atMost: 1 / 4.5 },
  { bench: "stdio-large-message", against: "officialSdk", atMost: 1 / 5 },
  { bench: "growth-message-size", kind: "growth", against: "bare", atMost: 1.5 },
  { bench: "stdio-cold-start", against: "officialSdk", atMost: 1 },
  { bench: "stdio-cold-start", against: "bare", atMost: 1.6 },
  { bench: "http-idle-listen", atMost: 9 },
  { bench: "press-1", against: "bare", atMost: 1.3 },
  { bench: "press-8", against: "bare", atMost: 1.3 },
  { bench: "stdio-resident-memory", atMost: 90 }
]

/**
 * @typedef {object} Verdict
 * @property {Target} target
 * @property {number} value
 * @property {boolean} isMet
 */

/**
 * @param {number | null | undefined} value
 * @param {number | null | undefined} other
 */
const ratio = (value, other) =>
  value === null || value === undefined || other === null || other === undefined || other === 0
    ? undefined
    : value / other

/**
 * How much more the most costs than the least.
 * @param {ReadonlyArray<Row>} rows
 * @param {"ours" | "bare" | "officialSdk" | "effect4"} key
 */
const growth = (rows, key) => {
  const sorted = rows.filter((row) => row[key] !== null).sort((one, other) => (one.n ?? 0) - (other.n ?? 0))
  const first = sorted[0]?.[key]
  const last = sorted.at(-1)?.[key]
  return sorted.length < 2 || typeof first !== "number" || typeof last !== "number" ? undefined : last - first
}

/**
 * @param {Target} target
 * @param {ReadonlyArray<Row>} rows of the target's bench
 */
const figureOf = ({ against, kind }, rows) => {
  if (kind === "growth")
    return against === undefined ? undefined : ratio(growth(rows, "ours"), growth(rows, against))
  const [row] = rows
  if (row === undefined) return undefined
  return against === undefined ? (row.ours ?? undefined) : ratio(row.ours, row[against])
}

/**
 * The targets that the rows have figures for.
 * @param {ReadonlyArray<Row>} rows
 * @returns {ReadonlyArray<Verdict>}
 */
export const judge = (rows, all = targets) =>
  all.flatMap((target) => {
    const value = figureOf(
      target,
      rows.filter(({ bench }) => bench === target.bench)
    )
    return value === undefined ? [] : [{ target, value, isMet: value <= target.atMost }]
  })
