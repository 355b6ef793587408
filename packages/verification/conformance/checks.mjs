// What a run of the suite found. Its summary leaves warnings out, so the files it writes are read instead.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/**
 * @typedef {"SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO"} Status
 */

/**
 * @typedef {object} Check
 * @property {string} id
 * @property {Status} status
 * @property {string} [errorMessage]
 */

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {ReadonlyArray<Check>} checks
 */

/** `server-<scenario>-<time>`; the time has no colons. */
const folderName = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/

/**
 * @param {string} folder where a run has put its results
 * @returns {ReadonlyArray<Scenario>}
 */
export const readScenarios = (folder) =>
  readdirSync(folder)
    .flatMap((entry) => {
      const name = folderName.exec(entry)?.[1]
      if (name === undefined) return []
      return [{ name, checks: JSON.parse(readFileSync(join(folder, entry, "checks.json"), "utf8")) }]
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1))

/**
 * @param {Scenario} scenario
 * @param {Status} status
 */
export const count = ({ checks }, status) => checks.filter((check) => check.status === status).length

/** @param {Check} check */
export const isBad = ({ status }) => status === "FAILURE" || status === "WARNING"
