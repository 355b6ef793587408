import * as Fs from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as DefinitionsJsonSchema from "@pushbutton/buttons/definitions/definitionsJsonSchema"

const published = new URL("../../definitions.schema.json", import.meta.url)

describe("the published JSON Schema of definitions files", () => {
  it("is the one that is made from what decodes them", () => {
    assert.deepStrictEqual(
      JSON.parse(Fs.readFileSync(published, "utf8")),
      JSON.parse(DefinitionsJsonSchema.text())
    )
  })

  it("describes every member, and refers to nothing outside of it", () => {
    const undescribed: Array<string> = []
    const look = (node: unknown, path: string): void => {
      if (typeof node !== "object" || node === null) return
      if ("$ref" in node) assert.match(String(node.$ref), /^#\/\$defs\/\w+$/)
      if ("properties" in node && typeof node.properties === "object" && node.properties !== null) {
        for (const [name, member] of Object.entries(node.properties)) {
          if (!("description" in member) && !("$ref" in member)) undescribed.push(`${path}.${name}`)
        }
      }
      for (const [name, child] of Object.entries(node)) look(child, `${path}/${name}`)
    }
    look(JSON.parse(Fs.readFileSync(published, "utf8")), "")
    assert.deepStrictEqual(undescribed, [])
  })
})
