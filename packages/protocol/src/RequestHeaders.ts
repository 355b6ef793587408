/**
 * The `Mcp-*` headers that mirror a modern request (2026-07-28, streamable-http, Server Validation), compared with
 * the body. Header names ignore case, values do not; the body stays the source of truth.
 */
import * as Either from "effect/Either"
import * as Base64 from "./internal/base64.js"
import * as Utf8 from "./internal/utf8.js"
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"
import { HeaderMismatch } from "./ProtocolError.js"

/** The value of a header, its repetitions joined by commas; undefined when absent. */
export type HeaderLookup = (lowerCaseName: string) => string | undefined

export const protocolVersion = "MCP-Protocol-Version"
export const method = "Mcp-Method"
export const name = "Mcp-Name"

const prefix = "=?base64?"
const suffix = "?="

const isSentinel = (text: string): boolean =>
  text.length >= prefix.length + suffix.length && text.startsWith(prefix) && text.endsWith(suffix)

/** A header value without the optional whitespace around it (RFC 9110, Field Values). */
export const trim = (value: string): string => {
  let start = 0
  let end = value.length
  while (start < end && isWhitespace(value.charCodeAt(start))) start++
  while (end > start && isWhitespace(value.charCodeAt(end - 1))) end--
  return value.slice(start, end)
}

const isWhitespace = (code: number): boolean => code === 0x20 || code === 0x09

/** Visible ASCII, space and tab. */
const isLegal = (value: string): boolean => /^[\t\x20-\x7e]*$/.test(value)

/**
 * What a `Mcp-Name` or `Mcp-Param-*` value says, or why it is not legal. Only a value with both exact markers is
 * Base64; it must then be the canonical encoding of valid UTF-8.
 */
export const decodeSentinel = (value: string): Either.Either<string, string> => {
  const text = trim(value)
  if (!isLegal(text)) return Either.left("has characters outside visible ASCII")
  if (!isSentinel(text)) return Either.right(text)
  const bytes = Base64.decode(text.slice(prefix.length, -suffix.length))
  if (bytes === undefined) return Either.left("is not valid Base64")
  const decoded = Utf8.decode(bytes)
  return decoded === undefined ? Either.left("is not valid UTF-8") : Either.right(decoded)
}

/** The header value of a text: as it is where that is safe, else Base64 between markers. */
export const encodeSentinel = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) && trim(text) === text && !isSentinel(text)
    ? text
    : `${prefix}${Base64.encode(Utf8.encode(text))}${suffix}`

/** `MCP-Protocol-Version` must be there and equal the version in `_meta`. */
export const checkVersion = (headers: HeaderLookup, claim: string): Either.Either<void, HeaderMismatch> =>
  check(headers, protocolVersion, claim)

/** `Mcp-Method` must be there and equal the method; it is compared as it stands. */
export const checkMethod = (headers: HeaderLookup, requested: string): Either.Either<void, HeaderMismatch> =>
  check(headers, method, requested)

const check = (
  headers: HeaderLookup,
  header: string,
  expected: string
): Either.Either<void, HeaderMismatch> => {
  const value = headers(header.toLowerCase())
  if (value === undefined) return mismatch(header, "is missing")
  return trim(value) === expected ? Either.void : mismatch(header, "does not match the body")
}

/** Which params member `Mcp-Name` mirrors, by method. Other methods have none, and the header means nothing there. */
const nameSource: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"]
])

/** `Mcp-Name` must mirror the name, uri or task id. Nothing to mirror in the body is a matter of params, not headers. */
export const checkName = (
  headers: HeaderLookup,
  requested: string,
  params: JsonObject
): Either.Either<void, HeaderMismatch> => {
  const source = nameSource.get(requested)
  const expected = source === undefined ? undefined : Json.own(params, source)
  if (typeof expected !== "string") return Either.void
  const value = headers(name.toLowerCase())
  if (value === undefined) return mismatch(name, "is missing")
  const decoded = decodeSentinel(value)
  if (Either.isLeft(decoded)) return mismatch(name, decoded.left)
  return decoded.right === expected ? Either.void : mismatch(name, "does not match the body")
}

const mismatch = (header: string, detail: string) => Either.left(new HeaderMismatch({ header, detail }))
