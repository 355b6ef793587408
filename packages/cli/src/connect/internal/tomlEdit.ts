/**
 * Puts one table, and its sub-table `env`, into TOML text. Whole statements are replaced or added, all other bytes
 * stay, and the result is parsed again: what would change anything else is refused.
 */
import { isObject, type JsonObject } from "@pushbutton/protocol/Json"
import * as Either from "effect/Either"
import * as toml from "smol-toml"
import * as ConnectError from "../ConnectError.js"
import type * as merge from "../merge.js"
import * as text from "./text.js"
import * as tomlScan from "./tomlScan.js"
import * as tomlText from "./tomlText.js"

export const edit = (
  source: string,
  { entry, file, replace }: merge.Input
): Either.Either<merge.Merged, ConnectError.MergeError> => {
  const { name, value } = entry
  const { serversKey } = entry.client
  const uneditable = (offset: number, detail: string) =>
    Either.left(new ConnectError.ConfigUneditable({ file, line: text.position(source, offset).line, detail }))

  const document = parse(source, file)
  if (Either.isLeft(document)) return Either.left(document.left)
  const statements = tomlScan.statements(source)
  const obstacle = statements.find((statement) => isObstacle(statement, serversKey, name))
  if (obstacle !== undefined) {
    return uneditable(
      obstacle.start,
      `write this as [${serversKey}.${name}] first: dotted keys, inline tables and arrays of tables are not edited`
    )
  }

  const eol = text.lineBreak(source)
  const lines = tomlText.table([serversKey, name], value)
  const blocks = blocksOf(statements).filter(({ path }) => startsWith(path, [serversKey, name]))
  const own = blocks.filter(({ path }) => path.length === 2 || path[2] === "env")
  const kept = new Set(blocks.filter((block) => !own.includes(block)).flatMap(({ path }) => path[2] ?? []))
  const existing = entryIn(document.right, serversKey, name, kept)
  const anchor = own.find(({ path }) => path.length === 2) ?? own[0]

  if (anchor !== undefined) {
    if (text.sameEntry(existing, value)) return Either.right({ _tag: "Unchanged" })
    if (!replace) {
      const old = own.map((block) => source.slice(block.start, block.end).trimEnd()).join("\n\n")
      return Either.left(
        new ConnectError.EntryDiffers({ file, name, existing: old, proposed: lines.join("\n") })
      )
    }
  }
  const misfit = blocks.find(({ path }) =>
    (Object.hasOwn(value, "url") ? stdioOnly : httpOnly).has(path[2] ?? "")
  )
  if (misfit !== undefined) {
    return uneditable(
      misfit.start,
      `[${misfit.path.join(".")}] does not go with the new entry; remove it first`
    )
  }

  const edited =
    anchor === undefined
      ? append(source, lines.join(eol), eol)
      : replaceBlocks(source, own, anchor, lines.join(eol), eol)
  return isFaithful(document.right, edited, entry, kept)
    ? Either.right({ _tag: "Changed", text: edited })
    : uneditable(
        anchor?.start ?? 0,
        `[${serversKey}.${name}] cannot be put in without changing something else`
      )
}

/** Sub-tables that Codex accepts beside one transport only. Others, such as `tools`, are kept. */
const httpOnly: ReadonlySet<string> = new Set(["oauth", "http_headers", "env_http_headers"])
const stdioOnly: ReadonlySet<string> = new Set(["env_vars"])

const parse = (source: string, file: string): Either.Either<JsonObject, ConnectError.ConfigBroken> =>
  Either.try({
    // The values that are not JSON, dates and large integers, are only compared.
    try: () => {
      const document: unknown = toml.parse(source, { integersAsBigInt: "asNeeded" })
      return isObject(document) ? document : {}
    },
    catch: (cause) => {
      const place =
        cause instanceof toml.TomlError ? { line: cause.line, column: cause.column } : { line: 1, column: 1 }
      const [detail = ""] = cause instanceof Error ? cause.message.split("\n") : []
      return new ConnectError.ConfigBroken({
        file,
        ...place,
        detail: `not valid TOML: ${detail.replace(/^.*?: /, "")}`
      })
    }
  })

/** A statement that defines the servers, or this server, in a form that a table cannot be added to. */
const isObstacle = ({ _tag, path, table }: tomlScan.Statement, serversKey: string, name: string): boolean => {
  if (path[0] !== serversKey) return false
  if (_tag === "Table") return false
  if (_tag === "Element") return path.length === 1 || (path.length === 2 && path[1] === name)
  return table.length === 0 || (table.length === 1 && path[1] === name)
}

interface Block {
  readonly path: ReadonlyArray<string>
  readonly start: number
  readonly end: number
}

/** Each header with the pairs under it; comments after the last pair belong to nobody. */
const blocksOf = (statements: ReadonlyArray<tomlScan.Statement>): ReadonlyArray<Block> => {
  const blocks: Array<{ path: ReadonlyArray<string>; start: number; end: number }> = []
  for (const { _tag, end, path, start } of statements) {
    const current = blocks.at(-1)
    if (_tag !== "Pair") blocks.push({ path, start, end })
    else if (current !== undefined) current.end = end
  }
  return blocks
}

const startsWith = (path: ReadonlyArray<string>, prefix: ReadonlyArray<string>): boolean =>
  prefix.every((name, index) => path[index] === name)

const append = (source: string, table: string, eol: string): string => {
  if (source.trim() === "") return source + table + eol
  const ended = source.endsWith("\n") ? source : source + eol
  return `${ended}${/\n\r?\n$/.test(ended) ? "" : eol}${table}${eol}`
}

/** The new text stands where the anchor stood; the other blocks go, with the blank lines that parted them from it. */
const replaceBlocks = (
  source: string,
  blocks: ReadonlyArray<Block>,
  anchor: Block,
  table: string,
  eol: string
): string => {
  let anchorEnd = anchor.end
  let edited = source
  for (const block of [...blocks].sort((one, other) => one.start - other.start)) {
    if (block.start >= anchorEnd && source.slice(anchorEnd, block.start).trim() === "") anchorEnd = block.end
  }
  for (const block of [...blocks].sort((one, other) => other.start - one.start)) {
    if (block === anchor) {
      const ending = source[anchorEnd - 1] === "\n" ? eol : ""
      edited = edited.slice(0, anchor.start) + table + ending + edited.slice(anchorEnd)
    } else if (block.start >= anchorEnd || block.end <= anchor.start) {
      edited = edited.slice(0, block.start) + edited.slice(block.end)
    }
  }
  return edited
}

const entryIn = (
  document: JsonObject,
  serversKey: string,
  name: string,
  kept: ReadonlySet<string>
): JsonObject | undefined => {
  const servers = document[serversKey]
  const entry = isObject(servers) && Object.hasOwn(servers, name) ? servers[name] : undefined
  return isObject(entry)
    ? Object.fromEntries(Object.entries(entry).filter(([member]) => !kept.has(member)))
    : undefined
}

/** Whether the edited text is valid, holds the entry, and says of everything else what it said before. */
const isFaithful = (
  before: JsonObject,
  edited: string,
  { client: { serversKey }, name, value }: merge.Input["entry"],
  kept: ReadonlySet<string>
): boolean => {
  const parsed = parse(edited, "")
  if (Either.isLeft(parsed)) return false
  const after = parsed.right
  return (
    text.sameEntry(entryIn(after, serversKey, name, kept), value) &&
    text.canonical(without(before, serversKey, name, kept)) ===
      text.canonical(without(after, serversKey, name, kept))
  )
}

/** The document less what this module writes, and less the tables that are then empty. */
const without = (
  document: JsonObject,
  serversKey: string,
  name: string,
  kept: ReadonlySet<string>
): JsonObject => {
  const servers = document[serversKey]
  if (!isObject(servers)) return document
  const entry = servers[name]
  const others = Object.entries(servers).filter(([other]) => other !== name)
  const rest = isObject(entry) ? Object.entries(entry).filter(([member]) => kept.has(member)) : []
  if (rest.length > 0) others.push([name, Object.fromEntries(rest)])
  const documentRest = Object.entries(document).filter(([key]) => key !== serversKey)
  if (others.length > 0) documentRest.push([serversKey, Object.fromEntries(others)])
  return Object.fromEntries(documentRest)
}
