import { assert, describe, it } from "@effect/vitest"
import * as Capabilities from "@pushbutton/protocol/Capabilities"
import type { JsonObject } from "@pushbutton/protocol/Json"
import { jsonObject } from "./arbitraries/json.js"

const form = { elicitation: { form: {} } }
const url = { elicitation: { url: {} } }
const tools = { sampling: { tools: {} } }

const rows: ReadonlyArray<readonly [string, JsonObject, JsonObject, JsonObject | undefined]> = [
  ["nothing is asked of a client that declares nothing", {}, {}, undefined],
  ["a whole capability is missing", form, {}, form],
  ["an empty elicitation means form", form, { elicitation: {} }, undefined],
  ["an empty elicitation means no URLs", url, { elicitation: {} }, url],
  ["an empty elicitation that is needed means form", { elicitation: {} }, url, form],
  ["an empty elicitation is enough for an empty one", { elicitation: {} }, { elicitation: {} }, undefined],
  ["a form that is named", form, { elicitation: { form: {} } }, undefined],
  ["URLs alone include no form", form, { elicitation: { url: {} } }, form],
  ["URLs that are named", url, { elicitation: { url: {} } }, undefined],
  [
    "only the missing mode is named",
    { ...form, elicitation: { form: {}, url: {} } },
    { elicitation: {} },
    url
  ],
  ["sampling without tools", tools, { sampling: {} }, tools],
  ["sampling with tools", tools, { sampling: { tools: {} } }, undefined],
  [
    "sampling with more than is needed",
    { sampling: {} },
    { sampling: { tools: {}, context: {} } },
    undefined
  ],
  ["several at once", { ...form, ...tools, roots: {} }, { sampling: {}, roots: {} }, { ...form, ...tools }],
  ["a declaration that is no object", { sampling: {} }, { sampling: true }, { sampling: {} }],
  ["an inherited member declares nothing", { constructor: {} }, {}, { constructor: {} }]
]

describe("Capabilities", () => {
  describe("missing", () => {
    for (const [name, required, declared, expected] of rows) {
      it(name, () => assert.deepStrictEqual(Capabilities.missing(required, declared), expected))
    }

    it.prop("nothing is missing from itself", [jsonObject], ([declared]) => {
      assert.isUndefined(Capabilities.missing(declared, declared))
    })

    it.prop("declaring what is missing leaves nothing missing", [jsonObject], ([required]) => {
      const missing = Capabilities.missing(required, {})
      assert.isUndefined(Capabilities.missing(required, missing ?? {}))
    })
  })
})
