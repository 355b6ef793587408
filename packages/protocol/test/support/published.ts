/** Validation against the definitions of the published schema of 2026-07-28. */
import { readFileSync } from "node:fs"
import { Ajv2020 } from "ajv/dist/2020.js"

const schema = JSON.parse(readFileSync(new URL("../fixtures/2026-07-28.json", import.meta.url), "utf8"))
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(schema, "mcp")

/** What is wrong with the value as it would be sent. */
export const publishedErrors = (definition: string, value: unknown): ReadonlyArray<unknown> => {
  const validate = ajv.getSchema(`mcp#/$defs/${definition}`)
  if (validate === undefined) return [{ definition }]
  return validate(JSON.parse(JSON.stringify(value))) === true ? [] : (validate.errors ?? [{ definition }])
}
