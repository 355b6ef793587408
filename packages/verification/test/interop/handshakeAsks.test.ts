/** What the everything fixture asks the official client 1.x. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Json } from "../support/rawHttp.js"
import * as Official from "./support/client.js"

/** A tool, what it asks for, and what it makes of the answer. */
const asks: ReadonlyArray<
  readonly [tool: string, args: Record<string, unknown>, method: string, asked: Json, answer: string]
> = [
  [
    "test_sampling",
    { prompt: "Capital of France?" },
    "sampling/createMessage",
    {
      messages: [{ role: "user", content: { type: "text", text: "Capital of France?" } }],
      maxTokens: 100
    },
    "LLM response: Paris"
  ],
  [
    "test_elicitation",
    { message: "Who are you?" },
    "elicitation/create",
    { mode: "form", message: "Who are you?" },
    'User response: accept {"username":"ada","email":"ada@example.com"}'
  ],
  [
    "test_url_elicitation",
    {},
    "elicitation/create",
    { mode: "url", url: "https://example.com/sign-in" },
    "User response: accepted"
  ],
  ["test_input_required_result_list_roots", {}, "roots/list", undefined, "file:///home"]
]

layer(Official.layer, { excludeTestServices: true })("the official client 1.x", (it) => {
  for (const transport of Official.transports) {
    // verifies: SA-02, EL-03, EL-07, RO-01, DL-33, IN-01, P-72
    it.scoped.each(asks)(`over ${transport} answers %s`, ([name, args, method, asked, answer]) =>
      Effect.gen(function* () {
        const { client, heard } = yield* (yield* Official.Clients)[transport]
        const before = heard.of(method).length
        const result: Json = yield* Effect.promise(() => client.callTool({ name, arguments: args }))
        const [params, ...more] = heard.of(method).slice(before)
        assert.lengthOf(more, 0)
        if (asked !== undefined) assert.deepInclude(params, asked)
        assert.strictEqual(result.content[0].text, answer)
      })
    )
  }
})
