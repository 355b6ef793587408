// What a test run comes to. Anything that keeps tests from running or from reporting is a failure.

/** @typedef {{ readonly passed: number, readonly failed: number, readonly skipped: number }} Tally */

/** @type {Tally} */
export const broken = { passed: 0, failed: 1, skipped: 0 }

/**
 * @param {Tally | undefined} reported by the reporter; undefined when it wrote nothing
 * @param {number} code that the run ended with
 * @returns {{ readonly tally: Tally, readonly problem: string | undefined }}
 */
export const conclude = (reported, code) => {
  if (reported === undefined) return { tally: broken, problem: "The test run broke before it could report." }
  if (reported.failed > 0) return { tally: reported, problem: undefined }
  const problem =
    reported.passed === 0
      ? "No test ran."
      : code !== 0
        ? `The test run reported no failure but ended with code ${code}.`
        : undefined
  return { tally: problem === undefined ? reported : { ...reported, failed: 1 }, problem }
}

/** @param {Tally} tally */
export const lineOf = ({ failed, passed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`
