// Takes turns: each round gives every contender one sample, and every other round in the reverse order.

/** @typedef {import("./rows.mjs").Key} Key */
/** @typedef {import("./rows.mjs").Samples} Samples */

/**
 * @typedef {object} Lane
 * @property {Key} key
 * @property {() => Promise<unknown>} [warmUp]
 * @property {() => Promise<number>} sample
 */

/** An optimizing compiler needs about so many operations before the cost of one settles. */
const warmOperations = 5000
const warmSlices = 5

/**
 * Repeats a load until its server is warm, on a busy machine longer than on an idle one.
 * @param {() => Promise<number>} slice gives the number of operations
 */
export const warm = async (slice) => {
  let done = 0
  for (let round = 0; round < warmSlices && done < warmOperations; round++) done += await slice()
}

/**
 * Says whose turn it was when something goes wrong.
 * @template A
 * @param {Key} key
 * @param {() => Promise<A>} work
 */
const turnOf = async (key, work) => {
  try {
    return await work()
  } catch (error) {
    throw new Error(`${key}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

/**
 * @param {ReadonlyArray<Lane>} lanes
 * @param {number} rounds
 * @returns {Promise<Samples>}
 */
export const interleave = async (lanes, rounds) => {
  for (const { key, warmUp } of lanes) await turnOf(key, async () => warmUp?.())
  /** @type {Record<string, Array<number>>} */
  const samples = Object.fromEntries(lanes.map(({ key }) => [key, []]))
  for (let round = 0; round < rounds; round++) {
    for (const { key, sample } of round % 2 === 0 ? lanes : [...lanes].reverse()) {
      samples[key]?.push(await turnOf(key, sample))
    }
  }
  return samples
}
