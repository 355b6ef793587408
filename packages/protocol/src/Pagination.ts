/**
 * Pages of a list by opaque cursor. A cursor names its list and a position and carries a checksum, so it works on
 * any instance; a foreign, altered or outlived one is refused. The checksum is no secret: a cursor grants nothing.
 */
import * as Either from "effect/Either"
import * as Base64 from "./internal/base64.js"
import * as Utf8 from "./internal/utf8.js"
import { InvalidCursor } from "./ProtocolError.js"

export interface Page<A> {
  readonly page: ReadonlyArray<A>
  /** Absent on the last page, and never empty. */
  readonly nextCursor?: string
}

/** The page at the cursor, or the first one without. `""` is a cursor like any other, and not one of ours. */
export const paginate = <A>(
  items: ReadonlyArray<A>,
  cursor: string | undefined,
  pageSize: number,
  listName: string
): Either.Either<Page<A>, InvalidCursor> => {
  const start = cursor === undefined ? 0 : positionOf(cursor, listName)
  if (start === undefined || (start > 0 && start >= items.length)) return Either.left(new InvalidCursor())
  const end = start + (pageSize >= 1 ? Math.floor(pageSize) : 1)
  const page = items.slice(start, end)
  return Either.right(end < items.length ? { page, nextCursor: cursorAt(end, listName) } : { page })
}

const cursorAt = (position: number, listName: string): string => {
  const text = `${position}:${listName}`
  return Base64.encode(Utf8.encode(`${position}:${checksum(text)}`))
}

/** Undefined unless the cursor is, letter for letter, the one that names this position of this list. */
const positionOf = (cursor: string, listName: string): number | undefined => {
  if (cursor.length > 64) return undefined
  const bytes = Base64.decode(cursor)
  const text = bytes === undefined ? undefined : Utf8.decode(bytes)
  const digits = text === undefined ? undefined : /^([1-9]\d{0,15}):/.exec(text)?.[1]
  if (digits === undefined) return undefined
  const position = Number(digits)
  return cursorAt(position, listName) === cursor ? position : undefined
}

/** FNV-1a over UTF-16 units, 32 bits, as hexadecimal. */
const checksum = (text: string): string => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, "0")
}
