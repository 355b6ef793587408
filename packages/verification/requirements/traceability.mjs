// Which requirement, and which known pitfall, is shown by which test. A test cites what it shows in a comment right
// above it: `// verifies: CORE-06, P-17`. What no test shows stands in a list, with the reason.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * @typedef {object} Requirement
 * @property {string} id
 * @property {string} level MUST, MUST NOT, SHOULD, SHOULD NOT, MAY, SCHEMA, FACT or REF
 * @property {string} sentence
 * @property {string} page
 */

/**
 * A requirement of the revisions that begin with `initialize`. Its level may also be one of ours, in small letters
 * (docs/compliance.md tells what they mean), or end with "(client)": then it binds the client, and shows what a
 * server may expect.
 * @typedef {Requirement & { readonly revisions: ReadonlyArray<string> }} HandshakeRequirement
 */

/**
 * How other servers fail, turned into what must hold.
 * @typedef {object} Pitfall
 * @property {string} id
 * @property {string} area
 * @property {string} sentence
 */

/**
 * @typedef {object} Listed
 * @property {string} id
 * @property {string} reason
 */

/**
 * @typedef {object} Citation
 * @property {string} id
 * @property {string} file below the root of the workspace
 * @property {number} line
 * @property {boolean} standsAboveTest
 */

/**
 * @typedef {object} Traceability
 * @property {ReadonlyArray<Requirement>} requirements those of 2026-07-28
 * @property {ReadonlyArray<HandshakeRequirement>} handshake
 * @property {ReadonlyArray<Pitfall>} pitfalls
 * @property {ReadonlyArray<Listed>} notApplicable
 * @property {ReadonlyArray<Listed>} notImplemented
 * @property {ReadonlyArray<Citation>} citations
 */

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** @param {string} name */
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"))

const comment = /^\s*\/\/ verifies: (.*)$/
const test = /^\s*(?:it|describe|test|table)\b/

/**
 * @param {string} file
 * @param {string} source
 * @returns {ReadonlyArray<Citation>}
 */
export const citationsOf = (file, source) => {
  const lines = source.split("\n")
  return lines.flatMap((line, index) => {
    const cited = comment.exec(line)?.[1]
    if (cited === undefined) return []
    const next = lines.slice(index + 1).find((other) => !comment.test(other))
    const standsAboveTest = next !== undefined && test.test(next)
    return cited.split(",").map((id) => ({ id: id.trim(), file, line: index + 1, standsAboveTest }))
  })
}

const testFiles = () =>
  readdirSync(join(root, "packages")).flatMap((name) => {
    const folder = join("packages", name, "test")
    return names(join(root, folder))
      .filter((path) => path.endsWith(".test.ts"))
      .sort()
      .map((path) => `packages/${name}/test/${path.split("\\").join("/")}`)
  })

/**
 * @param {string} folder
 * @returns {ReadonlyArray<string>}
 */
const names = (folder) => {
  try {
    return readdirSync(folder, { recursive: true }).map(String)
  } catch {
    return []
  }
}

/** @returns {Traceability} */
export const readTraceability = () => ({
  requirements: read("2026-07-28.json"),
  handshake: read("handshake.json"),
  pitfalls: read("pitfalls.json"),
  notApplicable: read("notApplicable.json"),
  notImplemented: read("notImplemented.json"),
  citations: testFiles().flatMap((file) => citationsOf(file, readFileSync(join(root, file), "utf8")))
})

/** @param {Requirement} requirement */
export const isBinding = ({ level }) => level === "MUST" || level === "MUST NOT" || level === "must"

/**
 * Everything that is wrong, as sentences.
 * @param {Traceability} traceability
 * @returns {ReadonlyArray<string>}
 */
export const problemsOf = ({
  citations,
  handshake,
  notApplicable,
  notImplemented,
  pitfalls,
  requirements
}) => {
  const ids = new Set([...requirements, ...handshake, ...pitfalls].map(({ id }) => id))
  const cited = new Set(citations.map(({ id }) => id))
  const all = [...notApplicable, ...notImplemented]
  const listed = new Set(all.map(({ id }) => id))
  /** @param {{ readonly id: string }} one */
  const isOpen = ({ id }) => !cited.has(id) && !listed.has(id)
  return [
    ...citations
      .filter(({ id }) => !ids.has(id))
      .map(({ file, id, line }) => `${file}:${line} cites ${JSON.stringify(id)}, which does not exist`),
    ...citations
      .filter(({ standsAboveTest }) => !standsAboveTest)
      .map(({ file, id, line }) => `${file}:${line} cites ${id}, but no test follows`),
    ...all.filter(({ id }) => !ids.has(id)).map(({ id }) => `${id} is listed and does not exist`),
    ...all.filter(({ id }) => cited.has(id)).map(({ id }) => `${id} is listed although a test shows it`),
    ...all.filter(({ reason }) => reason.trim() === "").map(({ id }) => `${id} is listed without a reason`),
    ...all
      .filter(({ id }, index) => all.findIndex((other) => other.id === id) !== index)
      .map(({ id }) => `${id} is listed twice`),
    ...[...requirements, ...handshake]
      .filter((one) => isBinding(one) && isOpen(one))
      .map(({ id, level, sentence }) => `${id} is shown by no test (${level}): ${sentence}`),
    ...pitfalls
      .filter(isOpen)
      .map(({ area, id, sentence }) => `${id} is shown by no test (${area}): ${sentence}`)
  ]
}
