/** The published schemas of all revisions, each reduced to what tests use. */
import { readFileSync } from "node:fs"
import { assert } from "@effect/vitest"
import type { JsonObject } from "@pushbutton/protocol/Json"
import type { ProtocolVersion } from "@pushbutton/protocol/ProtocolVersion"
import { Ajv } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"

/** Validates values against one definition of a revision's published schema. */
export const published = (version: ProtocolVersion) => {
  const schema = JSON.parse(readFileSync(new URL(`../fixtures/${version}.json`, import.meta.url), "utf8"))
  const [ajv, definitions] =
    "$defs" in schema
      ? [new Ajv2020({ strict: false, validateFormats: false }), "$defs"]
      : [new Ajv({ strict: false, validateFormats: false }), "definitions"]
  ajv.addSchema(schema, "mcp")
  return (definition: string, value: JsonObject) => {
    const validate = ajv.getSchema(`mcp#/${definitions}/${definition}`)
    assert.isDefined(validate, definition)
    return validate?.(JSON.parse(JSON.stringify(value))) === true
      ? []
      : (validate?.errors ?? [{ definition }])
  }
}
