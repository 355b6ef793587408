/** The revisions served. Modern and legacy lists never mix: `initialize` offers legacy ones, `_meta` names modern ones. */

export type ModernVersion = "2026-07-28"
export type LegacyVersion = "2025-11-25" | "2025-06-18" | "2025-03-26" | "2024-11-05"
export type ProtocolVersion = ModernVersion | LegacyVersion
export type Era = "modern" | "legacy"

export const modernVersions: ReadonlyArray<ModernVersion> = Object.freeze(["2026-07-28"] as const)

/** Newest first. */
export const legacyVersions: ReadonlyArray<LegacyVersion> = Object.freeze([
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05"
] as const)

export const latestLegacy: LegacyVersion = "2025-11-25"

export const isModern = (text: string): text is ModernVersion => includes(modernVersions, text)

export const isLegacy = (text: string): text is LegacyVersion => includes(legacyVersions, text)

const firstModern = "2026-07-28"

/** A date from the first modern revision on, served or not. */
export const looksModern = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && text >= firstModern

const includes = (versions: ReadonlyArray<string>, text: string): boolean => versions.includes(text)
