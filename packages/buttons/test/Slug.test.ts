import { assert, describe, it } from "@effect/vitest"
import * as Slug from "@pushbutton/buttons/Slug"
import * as FastCheck from "effect/FastCheck"

describe("Slug", () => {
  it.each([
    ["My Button", "my-button"],
    ["hello.world", "helloworld"],
    ["../evil", "evil"],
    ["DEPLOY!", "deploy"],
    ["a__b  c", "a-b-c"],
    ["-a-", "a"],
    ["日本語", ""],
    ["..", ""]
  ])("makes of %j the slug %j", (name, slug) => {
    assert.strictEqual(Slug.fromName(name), slug)
  })

  it.prop(
    "holds only a-z, 0-9 and single inner dashes, and stays what it is",
    [FastCheck.string({ unit: "binary" })],
    ([name]) => {
      const slug = Slug.fromName(name)
      assert.match(slug, /^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/)
      assert.strictEqual(Slug.fromName(slug), slug)
    }
  )

  it("does not take a folder name that only resembles a slug for one", () => {
    assert.deepStrictEqual(["my-button", "My_Button", "a--b", "", "a."].map(Slug.isSlug), [
      true,
      false,
      false,
      false,
      false
    ])
  })
})
