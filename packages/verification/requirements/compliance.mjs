// docs/compliance.md, written from the requirements, the citations of the tests, and the lists of what is left out.

/** @typedef {import("./traceability.mjs").Traceability} Traceability */
/** @typedef {import("./traceability.mjs").Requirement} Requirement */
/** @typedef {import("./traceability.mjs").HandshakeRequirement} HandshakeRequirement */
/** @typedef {import("./traceability.mjs").Listed} Listed */

const modernAreas = /** @type {const} */ ({
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

const handshakeAreas = /** @type {const} */ ({
  LC: "Lifecycle and negotiation",
  ST: "stdio",
  HS: "HTTP+SSE",
  SH: "Streamable HTTP",
  BA: "Batches",
  TO: "Tools",
  RE: "Resources",
  PR: "Prompts",
  CO: "Completion",
  LO: "Log messages",
  PA: "Pagination",
  PG: "Progress",
  CA: "Cancellation",
  SA: "Sampling",
  EL: "Elicitation",
  RO: "Roots",
  TK: "Tasks",
  ER: "Error codes",
  AU: "Authorization",
  EN: "What each revision knows",
  DI: "What each revision changed",
  DL: "Beside 2026-07-28",
  IN: "Asking the client",
  DC: "Decisions",
  TRAP: "Traps"
})

const modernLevels = ["MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY", "SCHEMA"]

const handshakeLevels = [
  "MUST",
  "MUST NOT",
  "SHOULD",
  "SHOULD NOT",
  "MAY",
  "must",
  "should",
  "may",
  "schema",
  "stated",
  "derived",
  "decide",
  "changelog",
  "trap"
]

/** What may be left undone for a reason, so that nothing fails without a test. */
const recommended = ["SHOULD", "SHOULD NOT", "should"]

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

const handshakeRevisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]

/** @param {ReadonlyArray<string>} revisions */
const span = (revisions) =>
  revisions.length === 5
    ? "all"
    : handshakeRevisions.every((one) => revisions.includes(one))
      ? "all of the handshake"
      : revisions.join(", ")

/**
 * @param {Traceability} traceability
 * @returns {string}
 */
export const render = ({
  citations,
  handshake,
  notApplicable,
  notImplemented,
  pitfalls,
  requirements: modern
}) => {
  /** @param {string} id */
  const filesOf = (id) => [...new Set(citations.filter((one) => one.id === id).map(({ file }) => file))]
  /** @param {string} id @param {ReadonlyArray<Listed>} list */
  const reasonIn = (id, list) => list.find((one) => one.id === id)?.reason

  /** @param {ReadonlyArray<Requirement>} requirements @param {ReadonlyArray<string>} levels */
  const summary = (requirements, levels) =>
    table([
      ["Level", "Requirements", "Shown by tests", "Not implemented", "Not applicable"],
      ...levels.map((level) => {
        const some = requirements.filter((one) => one.level === level)
        return [
          level,
          some.length,
          some.filter(({ id }) => filesOf(id).length > 0).length,
          some.filter(({ id }) => reasonIn(id, notImplemented) !== undefined).length,
          some.filter(({ id }) => reasonIn(id, notApplicable) !== undefined).length
        ].map(String)
      })
    ])

  /** @param {ReadonlyArray<Requirement>} requirements @param {ReadonlyArray<Listed>} list */
  const left = (requirements, list) =>
    table([
      ["Id", "Level", "Requirement", "Why"],
      ...requirements.flatMap(({ id, level, sentence }) => {
        const reason = reasonIn(id, list)
        return reason === undefined ? [] : [[id, level, sentence, reason]]
      })
    ])

  /** @param {ReadonlyArray<Requirement>} requirements */
  const unshown = (requirements) => {
    const rows = requirements.flatMap(({ id, level, sentence }) =>
      recommended.includes(level) &&
      filesOf(id).length === 0 &&
      reasonIn(id, notImplemented) === undefined &&
      reasonIn(id, notApplicable) === undefined
        ? [[id, level, sentence]]
        : []
    )
    return rows.length === 0 ? "None." : table([["Id", "Level", "Requirement"], ...rows])
  }

  /** @param {ReadonlyArray<Requirement>} requirements @param {Readonly<Record<string, string>>} areas */
  const shown = (requirements, areas) =>
    Object.entries(areas).flatMap(([area, title]) => {
      const rows = requirements.filter(({ id }) => areaOf(id) === area && filesOf(id).length > 0)
      const body =
        rows.length === 0
          ? "Nothing yet."
          : table([
              ["Id", "Level", "Requirement", "Shown by"],
              ...rows.map(({ id, level, sentence }) => [
                id,
                level,
                sentence,
                filesOf(id).map(link).join(", ")
              ])
            ])
      return [`#### ${title}`, body]
    })

  /** @param {ReadonlyArray<HandshakeRequirement>} requirements */
  const dated = (requirements) =>
    requirements.map((one) => ({ ...one, sentence: `(${span(one.revisions)}) ${one.sentence}` }))

  /** @param {ReadonlyArray<Listed>} list */
  const pitfallsLeft = (list) => {
    const rows = pitfalls.flatMap(({ area, id, sentence }) => {
      const reason = reasonIn(id, list)
      return reason === undefined ? [] : [[id, area, sentence, reason]]
    })
    return rows.length === 0 ? "None." : table([["Id", "Area", "What has to hold", "Why"], ...rows])
  }

  /**
   * @param {ReadonlyArray<Requirement>} requirements
   * @param {ReadonlyArray<string>} levels
   * @param {Readonly<Record<string, string>>} areas
   */
  const part = (requirements, levels, areas) => [
    summary(requirements, levels),
    "### Not implemented",
    left(requirements, notImplemented),
    "### Not applicable",
    left(requirements, notApplicable),
    "### Recommended, and shown by no test",
    "They may hold all the same.",
    unshown(requirements),
    "### Shown by tests",
    ...shown(requirements, areas)
  ]

  const avoided = pitfalls.filter(({ id }) => filesOf(id).length > 0)

  return `${[
    "# Compliance",
    "Written by `npm run compliance` from `packages/verification/requirements` and the tests; do not edit.",
    "Every requirement on a server, in our words, and the tests that show it.\nA test fails when a MUST or MUST NOT is neither shown nor listed below with a reason.",
    "## Revision 2026-07-28",
    ...part(modern, modernLevels, modernAreas),
    "## Handshake revisions",
    "2024-11-05, 2025-03-26, 2025-06-18 and 2025-11-25, and how they stand beside 2026-07-28.\nLevels in small letters are ours: rules of our own (`must`, `should`, `may`), what only the schemas say (`schema`), what the pages state without a keyword (`stated`), what follows from them (`derived`), what they leave open and we decided (`decide`), what a revision changed (`changelog`), and how others have failed (`trap`).\nWhat binds the client alone is in the data, and not counted.\nThe checklist behind this page has 52 rows more, which bind nobody and are left out: how an SDK routes (SK-01 to SK-20), what it lacks (GAP-01 to GAP-27), and what its conformance suite looks for (CF-01 to CF-05).",
    ...part(dated(handshake), handshakeLevels, handshakeAreas),
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
