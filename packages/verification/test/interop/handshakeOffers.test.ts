/** What the official client 1.x gets of the everything fixture: tools, resources, prompts, completion. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Json } from "../support/rawHttp.js"
import * as Official from "./support/client.js"

type Use = (client: Official.Connected["client"]) => Promise<unknown>

const names = (items: ReadonlyArray<{ readonly name: string }>) => items.map(({ name }) => name)

const content = (result: Json) => result.content

/** Each way to use the server, and what comes of it. */
const uses: ReadonlyArray<readonly [name: string, use: Use, expected: unknown]> = [
  ["greets", async (client) => client.getServerVersion()?.title, "Everything"],
  ["pings", (client) => client.ping(), {}],
  ["lists tools", async (client) => names((await client.listTools()).tools)[0], "test_simple_text"],
  [
    "calls a tool without arguments",
    async (client) => content(await client.callTool({ name: "test_simple_text" })),
    [{ type: "text", text: "This is a simple text response for testing." }]
  ],
  [
    "reads every kind of block",
    async (client) =>
      content(await client.callTool({ name: "test_decorated" })).map(({ type }: Json) => type),
    ["text", "image", "audio", "resource", "resource_link"]
  ],
  [
    "checks structured content against its schema",
    async (client) =>
      (await client.callTool({ name: "test_structured_content", arguments: { city: "Ulm" } }))
        .structuredContent,
    { city: "Ulm", degrees: 21.5 }
  ],
  [
    "checks a wrapped array against its wrapped schema",
    async (client) =>
      (await client.callTool({ name: "test_array_output", arguments: { to: 2 } })).structuredContent,
    { result: [1, 2] }
  ],
  [
    "sees a tool fail",
    async (client) => (await client.callTool({ name: "test_error_handling" })).isError,
    true
  ],
  [
    "sees what is wrong with its arguments",
    async (client) => (await client.callTool({ name: "test_structured_content", arguments: {} })).isError,
    true
  ],
  [
    "is refused an unknown tool",
    (client) => client.callTool({ name: "nope" }).catch(({ code }) => code),
    -32602
  ],
  [
    "calls what other clients can have as a task",
    async (client) =>
      content(await client.callTool({ name: "slow_compute", arguments: { seconds: 0 } }))[0].text,
    "Computed work for 0 s."
  ],
  ["lists resources", async (client) => names((await client.listResources()).resources)[0], "static-text"],
  [
    "lists templates",
    async (client) => names((await client.listResourceTemplates()).resourceTemplates),
    ["template-data"]
  ],
  [
    "reads text",
    async (client) => (await client.readResource({ uri: "test://static-text" })).contents,
    [
      {
        uri: "test://static-text",
        mimeType: "text/plain",
        text: "This is the content of the static text resource."
      }
    ]
  ],
  [
    "reads bytes",
    async (client) =>
      Object.keys((await client.readResource({ uri: "test://static-binary" })).contents[0] ?? {}),
    ["uri", "mimeType", "blob"]
  ],
  [
    "is refused what is not there",
    (client) => client.readResource({ uri: "test://missing" }).catch(({ code, data }) => ({ code, data })),
    { code: -32002, data: { uri: "test://missing" } }
  ],
  ["lists prompts", async (client) => names((await client.listPrompts()).prompts)[0], "test_simple_prompt"],
  [
    "gets a prompt with arguments",
    async (client) =>
      (
        await client.getPrompt({
          name: "test_prompt_with_arguments",
          arguments: { arg1: "a", arg2: "b" }
        })
      ).messages,
    [{ role: "user", content: { type: "text", text: "Prompt with arguments: arg1='a', arg2='b'" } }]
  ],
  [
    "is refused a prompt without its arguments",
    (client) => client.getPrompt({ name: "test_prompt_with_arguments" }).catch(({ code }) => code),
    -32602
  ],
  [
    "completes an argument of a prompt",
    async (client) =>
      (
        await client.complete({
          ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
          argument: { name: "arg1", value: "test" }
        })
      ).completion.values,
    ["test1", "test2"]
  ],
  [
    "completes a variable of a template",
    async (client) =>
      (
        await client.complete({
          ref: { type: "ref/resource", uri: "test://template/{id}/data" },
          argument: { name: "id", value: "12" }
        })
      ).completion.values,
    ["123", "124"]
  ]
]

layer(Official.layer, { excludeTestServices: true })("the official client 1.x", (it) => {
  for (const transport of Official.transports) {
    for (const [name, use, expected] of uses) {
      // verifies: LC-02, LC-23, RE-05, PR-02, CO-01, TRAP-02, TRAP-05, TRAP-06, TK-09
      it.scoped(`over ${transport} ${name}`, () =>
        Effect.gen(function* () {
          const { client } = yield* (yield* Official.Clients)[transport]
          assert.deepStrictEqual(yield* Effect.promise(() => use(client)), expected)
        })
      )
    }
  }
})
