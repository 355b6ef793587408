/** The list methods. A page is encoded once per snapshot, revision and cursor; after that a request copies bytes. */
import type { Dialect } from "@pushbutton/protocol/dialect/Dialect"
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as Pagination from "@pushbutton/protocol/Pagination"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as Either from "effect/Either"
import type { Decision } from "../Decision.js"
import { refuse } from "./call.js"
import type { Route } from "./Route.js"
import * as Replies from "./reply.js"

export interface ListSettings {
  readonly pageSize: number
  readonly ttlMs: number
  readonly cacheScope: "public" | "private"
}

export interface List<Item> {
  /** The member of the result that holds the items. */
  readonly key: string
  readonly encode: (dialect: Dialect, item: Item) => JsonObject
}

/** Builds a list method. The same array of items is the same list: pass a new one when something changed. */
export const make = <Item>(list: List<Item>, settings: ListSettings) => {
  const pages = new WeakMap<ReadonlyArray<Item>, Map<string, string>>()
  const pagesOf = (items: ReadonlyArray<Item>) => {
    const known = pages.get(items)
    if (known !== undefined) return known
    const fresh = new Map<string, string>()
    pages.set(items, fresh)
    return fresh
  }
  return (route: Route, items: ReadonlyArray<Item>): Decision => {
    const cursor = route.params["cursor"]
    if (cursor !== undefined && typeof cursor !== "string") {
      return refuse(route, new ProtocolError.InvalidCursor())
    }
    const encoded = pagesOf(items)
    // A version never holds a line feed, so two pages cannot share a key.
    const key = cursor === undefined ? route.dialect.version : `${route.dialect.version}\n${cursor}`
    const known = encoded.get(key)
    if (known !== undefined) return found(route, known)
    const page = encodePage(list, settings, route, items, cursor)
    if (Either.isLeft(page)) return refuse(route, page.left)
    encoded.set(key, page.right)
    return found(route, page.right)
  }
}

const found = (route: Route, page: string): Decision =>
  Replies.answer({ status: 200, text: JsonRpc.encodeResultText(route.id, page) })

const encodePage = <Item>(
  list: List<Item>,
  settings: ListSettings,
  { dialect, identity, method }: Route,
  items: ReadonlyArray<Item>,
  cursor: string | undefined
) =>
  Either.map(Pagination.paginate(items, cursor, settings.pageSize, method), ({ nextCursor, page }) =>
    JSON.stringify(
      dialect.list(
        list.key,
        page.map((item) => list.encode(dialect, item)),
        nextCursor,
        settings,
        identity
      )
    )
  )
