// docs/compliance.md, written from the requirements, the citations of the tests, and the lists of what is left out.

/** @typedef {import("./traceability.mjs").Traceability} Traceability */
/** @typedef {import("./traceability.mjs").Requirement} Requirement */
/** @typedef {import("./traceability.mjs").Listed} Listed */

const areas = /** @type {const} */ ({
  CORE: "Base protocol",
  VER: "Versions",
  META: "`_meta`",
  ICON: "Icons",
  JSCH: "JSON Schema",
  DISC: "Discovery",
  STDIO: "stdio",
  HTTP: "Streamable HTTP",
  HDR: "Headers",
  ORD: "Order of checks",
  MRTR: "Multi round-trip requests",
  ELIC: "Elicitation",
  SAMP: "Sampling",
  ROOT: "Roots",
  SUB: "Subscriptions",
  CANC: "Cancellation",
  PROG: "Progress",
  LOG: "Log messages",
  TOOL: "Tools",
  RES: "Resources",
  PROM: "Prompts",
  COMP: "Completion",
  PAGE: "Pagination",
  CACHE: "Caching",
  AUTH: "Authorization",
  SEC: "Security",
  EXT: "Extensions",
  TASK: "Tasks extension",
  DEP: "Deprecated features"
})

/** @param {string} id */
const areaOf = (id) => id.slice(0, id.indexOf("-"))

/** A cell of a table must not end it. @param {string} text */
const cell = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ")

/** @param {ReadonlyArray<ReadonlyArray<string>>} rows the first one is the head */
const table = ([head = [], ...rows]) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n")

/** @param {string} file */
const link = (file) => {
  const [, name = "", test = ""] = /^packages\/([^/]+)\/test\/(.+)\.test\.ts$/.exec(file) ?? []
  return `[${name}: ${test}](../${file})`
}

/**
 * @param {Traceability} traceability
 * @returns {string}
 */
export const render = ({ citations, notApplicable, notImplemented, pitfalls, requirements }) => {
  /** @param {string} id */
  const filesOf = (id) => [...new Set(citations.filter((one) => one.id === id).map(({ file }) => file))]
  /** @param {string} id @param {ReadonlyArray<Listed>} list */
  const reasonIn = (id, list) => list.find((one) => one.id === id)?.reason

  /** @param {(requirement: Requirement) => boolean} holds */
  const tally = (holds) => {
    const some = requirements.filter(holds)
    return [
      some.length,
      some.filter(({ id }) => filesOf(id).length > 0).length,
      some.filter(({ id }) => reasonIn(id, notImplemented) !== undefined).length,
      some.filter(({ id }) => reasonIn(id, notApplicable) !== undefined).length
    ].map(String)
  }

  /** @param {ReadonlyArray<Listed>} list */
  const left = (list) =>
    table([
      ["Id", "Level", "Requirement", "Why"],
      ...requirements.flatMap(({ id, level, sentence }) => {
        const reason = reasonIn(id, list)
        return reason === undefined ? [] : [[id, level, sentence, reason]]
      })
    ])

  /** @param {string} area */
  const shown = (area) => {
    const rows = requirements.filter(({ id }) => areaOf(id) === area && filesOf(id).length > 0)
    return rows.length === 0
      ? "Nothing yet."
      : table([
          ["Id", "Level", "Requirement", "Shown by"],
          ...rows.map(({ id, level, sentence }) => [id, level, sentence, filesOf(id).map(link).join(", ")])
        ])
  }

  /** @param {ReadonlyArray<Listed>} list */
  const pitfallsLeft = (list) => {
    const rows = pitfalls.flatMap(({ area, id, sentence }) => {
      const reason = reasonIn(id, list)
      return reason === undefined ? [] : [[id, area, sentence, reason]]
    })
    return rows.length === 0 ? "None." : table([["Id", "Area", "What has to hold", "Why"], ...rows])
  }

  const avoided = pitfalls.filter(({ id }) => filesOf(id).length > 0)

  return `${[
    "# Compliance with revision 2026-07-28",
    "Written by `npm run compliance` from `packages/verification/requirements` and the tests; do not edit.",
    "Every requirement on a server, in our words, and the tests that show it.\nA test fails when a MUST or MUST NOT is neither shown nor listed below with a reason.",
    table([
      ["Level", "Requirements", "Shown by tests", "Not implemented", "Not applicable"],
      ...["MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY", "SCHEMA"].map((level) => [
        level,
        ...tally((one) => one.level === level)
      ])
    ]),
    "## Not implemented",
    left(notImplemented),
    "## Not applicable",
    left(notApplicable),
    "## Shown by tests",
    ...Object.entries(areas).flatMap(([area, title]) => [`### ${title}`, shown(area)]),
    "## Pitfalls",
    `How MCP servers are known to fail, each as what has to hold instead: ${pitfalls.length} of them, ${avoided.length} shown by tests.\nA test fails when one is neither shown nor listed with a reason.`,
    "### Pitfalls not implemented",
    pitfallsLeft(notImplemented),
    "### Pitfalls not applicable",
    pitfallsLeft(notApplicable),
    "### Pitfalls shown by tests",
    table([
      ["Id", "Area", "What has to hold", "Shown by"],
      ...avoided.map(({ area, id, sentence }) => [id, area, sentence, filesOf(id).map(link).join(", ")])
    ])
  ].join("\n\n")}\n`
}
