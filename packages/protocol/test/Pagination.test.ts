import { assert, describe, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import * as Pagination from "@pushbutton/protocol/Pagination"
import { InvalidCursor } from "@pushbutton/protocol/ProtocolError"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"

const letters = ["a", "b", "c", "d", "e"]

const cursorAfter = (count: number, listName = "tools/list") =>
  Either.getOrThrow(Pagination.paginate(letters, undefined, count, listName)).nextCursor

/** Every page from the first on, as a client would fetch them. */
const allPages = <A>(items: ReadonlyArray<A>, pageSize: number): ReadonlyArray<ReadonlyArray<A>> => {
  const pages: Array<ReadonlyArray<A>> = []
  let cursor: string | undefined
  do {
    const { nextCursor, page } = Either.getOrThrow(Pagination.paginate(items, cursor, pageSize, "tools/list"))
    pages.push(page)
    cursor = nextCursor
  } while (cursor !== undefined)
  return pages
}

describe("Pagination", () => {
  it("gives one page without a cursor when everything fits", () => {
    assertRight(Pagination.paginate(letters, undefined, 5, "tools/list"), { page: letters })
    assertRight(Pagination.paginate([], undefined, 5, "tools/list"), { page: [] })
    assertRight(Pagination.paginate(letters, undefined, Number.POSITIVE_INFINITY, "tools/list"), {
      page: letters
    })
  })

  // verifies: P-90, PA-01, TRAP-32
  it("goes on where the cursor points, and leaves it out at the end", () => {
    assert.deepStrictEqual(allPages(letters, 2), [["a", "b"], ["c", "d"], ["e"]])
    assert.deepStrictEqual(allPages(letters, 4), [["a", "b", "c", "d"], ["e"]])
  })

  it("goes on with another page size", () => {
    assertRight(Pagination.paginate(letters, cursorAfter(2), 100, "tools/list"), { page: ["c", "d", "e"] })
  })

  it("takes a senseless page size for one", () => {
    for (const pageSize of [0, -3, 0.5, Number.NaN]) {
      assert.deepStrictEqual(allPages(["a", "b"], pageSize), [["a"], ["b"]])
    }
  })

  // verifies: PAGE-05, P-90, PA-02, DL-47
  it("refuses the empty cursor and any other it did not mint", () => {
    for (const cursor of ["", "MA==", "2", "Mjo=", "x".repeat(100_000), "MTo4MTFjOWRjNQ==", "\u0000", "😀"]) {
      assertLeft(Pagination.paginate(letters, cursor, 2, "tools/list"), new InvalidCursor())
    }
  })

  // verifies: P-90
  it("refuses the cursor of another list", () => {
    assertLeft(
      Pagination.paginate(letters, cursorAfter(2, "prompts/list"), 2, "tools/list"),
      new InvalidCursor()
    )
  })

  // verifies: P-90
  it("refuses a cursor that a shrunken list has outlived", () => {
    const cursor = cursorAfter(4)
    assertLeft(Pagination.paginate(letters.slice(0, 4), cursor, 2, "tools/list"), new InvalidCursor())
    assertLeft(Pagination.paginate([], cursor, 2, "tools/list"), new InvalidCursor())
  })

  // verifies: PAGE-03
  it.prop(
    "joins all pages to the list, for any page size",
    [fc.array(fc.integer()), fc.integer({ min: 1, max: 10 })],
    ([items, pageSize]) => {
      const pages = allPages(items, pageSize)
      assert.deepStrictEqual(pages.flat(), items)
      assert.isTrue(pages.every((page) => page.length <= pageSize))
    }
  )

  it.prop(
    "never mints an empty cursor, nor one for the end",
    [fc.array(fc.integer()), fc.nat(10)],
    ([items, size]) => {
      const { nextCursor, page } = Either.getOrThrow(Pagination.paginate(items, undefined, size, "l"))
      assert.strictEqual(nextCursor === undefined, page.length === items.length)
      assert.notStrictEqual(nextCursor, "")
    }
  )

  it.prop(
    "refuses foreign cursors",
    [fc.oneof(fc.string(), fc.base64String(), fc.fullUnicodeString())],
    ([cursor]) => {
      assertLeft(Pagination.paginate(letters, cursor, 2, "tools/list"), new InvalidCursor())
    }
  )

  it.prop(
    "refuses a cursor with one character changed",
    [fc.nat(), fc.constantFrom(..."ABCxyz019+/=")],
    ([at, character]) => {
      const cursor = cursorAfter(2) ?? ""
      const index = at % cursor.length
      fc.pre(cursor.charAt(index) !== character)
      const changed = cursor.slice(0, index) + character + cursor.slice(index + 1)
      assertLeft(Pagination.paginate(letters, changed, 2, "tools/list"), new InvalidCursor())
    }
  )
})
