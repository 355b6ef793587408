/** The tools of a folder while it is edited. */
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Buttons from "@pushbutton/buttons/Buttons"
import * as ButtonTools from "@pushbutton/buttons/ButtonTools"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import * as Conversation from "../support/conversation.js"
import { json } from "../support/definitions.js"
import * as Temporary from "../support/temporary.js"

const files = (name: string, fields: object = {}, code = "echo one\n") => ({
  [`${name}/button.json`]: json({ name, mcp_enabled: true, ...fields }),
  [`${name}/main.sh`]: code
})

describe("a tool for each button of a folder", () => {
  it.scopedLive("comes, changes and goes with it, and subscribers are told when the list differs", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Temporary.write(dataDir.buttons, { ...files("one"), "wrong/button.json": "[]" })
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => void logged.push(String(message)))
      yield* Effect.gen(function* () {
        const client = yield* Conversation.client
        const messages = yield* client.listen({ notifications: { toolsListChanged: true } })
        const told = Effect.repeat(Queue.take(messages), {
          until: ({ method }) => method === "notifications/tools/list_changed"
        }).pipe(Effect.timeout("5 seconds"))
        const names = Effect.map(client.tools, (tools) => tools.map(({ name }) => name))
        assert.deepStrictEqual(yield* names, ["buttons_inspect", "one"])

        yield* Temporary.write(dataDir.buttons, files("two"))
        yield* told
        assert.deepStrictEqual(yield* names, ["buttons_inspect", "one", "two"])

        // What is not listed tells nobody: not the code, not the time that a button has.
        yield* Temporary.write(dataDir.buttons, files("one", { timeout_seconds: 7 }, "echo two\n"))
        assert.strictEqual(Conversation.said(yield* client.call("one", {})).stdout, "two\n")

        yield* Temporary.write(dataDir.buttons, files("two", { mcp_enabled: false }))
        yield* told
        assert.deepStrictEqual(yield* names, ["buttons_inspect", "one"])
        assert.deepStrictEqual([...(yield* Queue.takeAll(messages))], [])

        yield* Temporary.write(dataDir.buttons, { "one/button.json": "{" })
        yield* told
        assert.deepStrictEqual(yield* names, ["buttons_inspect"])
        assert.isTrue(logged.some((line) => line.startsWith("buttons/one/button.json:1")))
        assert.isFalse(logged.some((line) => line.includes("wrong")))

        yield* Temporary.write(dataDir.buttons, files("one", { description: "Back" }))
        yield* told
        yield* Temporary.remove(Path.join(dataDir.buttons, "one"))
        yield* told
        assert.deepStrictEqual(yield* names, ["buttons_inspect"])
      }).pipe(
        Effect.scoped,
        Effect.provide(
          ButtonTools.layer({ mode: "tools" }).pipe(
            Layer.provideMerge(McpServer.layer({ name: "test", version: "1" })),
            Layer.provideMerge(Buttons.layer(dataDir)),
            Layer.provideMerge(Logger.replace(Logger.defaultLogger, logger))
          )
        )
      )
    })
  )
})
