/** Buttons that agents make. */
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Buttons from "@pushbutton/buttons/Buttons"
import * as ButtonTools from "@pushbutton/buttons/ButtonTools"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Conversation from "../support/conversation.js"
import * as Temporary from "../support/temporary.js"

type Client = Effect.Effect.Success<typeof Conversation.client>

const creating = <A>(
  creation: ButtonTools.Creation,
  use: (client: Client, root: string) => Effect.Effect<A>
) =>
  Effect.scoped(
    Effect.flatMap(Temporary.dataDir, (dataDir) =>
      Effect.provide(
        Effect.flatMap(Conversation.client, (client) => use(client, dataDir.root)),
        Layer.merge(ButtonTools.layer(), ButtonTools.layerCreate(creation)).pipe(
          Layer.provideMerge(McpServer.layer({ name: "test", version: "1" })),
          Layer.provideMerge(Buttons.layer(dataDir))
        )
      )
    )
  )

const greeter = {
  name: "Greeter",
  description: "Greets",
  code: 'echo "hi $BUTTONS_ARG_WHO"',
  args: [{ name: "who", type: "string", required: true }]
}

const press = (client: Client) =>
  Effect.map(client.call("buttons_press", { name: "greeter", args: { who: "Ada" } }), Conversation.said)

describe("buttons_create", () => {
  it.live("makes a button that nobody can press until it is enabled", () =>
    creating("hidden", (client, root) =>
      Effect.gen(function* () {
        const reply = yield* client.call("buttons_create", greeter)
        assert.deepStrictEqual(reply["structuredContent"], {
          created: "greeter",
          enabled: false,
          button: {
            name: "greeter",
            description: "Greets",
            args: greeter.args,
            runtime: "shell",
            timeout_seconds: 300
          }
        })
        assert.deepStrictEqual(Conversation.said(reply), reply["structuredContent"])
        assert.strictEqual((yield* press(client)).code, "NOT_FOUND")
        const path = Path.join("buttons", "greeter", "button.json")
        assert.isFalse(JSON.parse(yield* Temporary.read(root, path)).mcp_enabled)
      })
    )
  )

  it.live("makes a button for use at once where the operator says so, and never another of its name", () =>
    creating("enabled", (client) =>
      Effect.gen(function* () {
        yield* client.call("buttons_create", greeter)
        assert.strictEqual((yield* press(client)).stdout, "hi Ada\n")
        const again = yield* client.call("buttons_create", { ...greeter, code: "echo evil" })
        assert.isTrue(again["isError"])
        assert.deepStrictEqual(Conversation.said(again), {
          error: true,
          code: "ALREADY_EXISTS",
          message: 'There is a button "greeter" already',
          button: "Greeter"
        })
        assert.strictEqual((yield* press(client)).stdout, "hi Ada\n")
      })
    )
  )

  it.live.each<[object, string]>([
    [{ name: "x" }, "exactly one"],
    [{ name: "x", code: "a", url: "https://example.com/" }, "exactly one"],
    [{ name: "x", code: "a".repeat(65_537) }, "65536 bytes"],
    [{ name: "x", code: "a", description: "a".repeat(131_072) }, "131072 bytes in all"],
    [{ name: "x", url: "https://example.com/", body: "a".repeat(131_072) }, "131072 bytes in all"],
    [{ name: "x", prompt: "a", runtime: "bash" }, "runtime"],
    [{ name: "x", code: "a", method: "POST" }, "with a url only"],
    [{ name: "x", url: "ftp://example.com/" }, "http://"],
    [{ name: "x", url: "https://example.com/", headers: { "a b": "c" } }, "header"],
    [{ name: "../x", code: "a" }, "path"],
    [{ name: "x", code: "a", timeout_seconds: -1 }, "above 0"]
  ])("refuses %j, and leaves nothing of it", ([input, words]) =>
    creating("enabled", (client, root) =>
      Effect.gen(function* () {
        const reply = yield* client.call("buttons_create", input)
        assert.isTrue(reply["isError"])
        const { code, message } = Conversation.said(reply)
        assert.strictEqual(code, "VALIDATION_ERROR")
        assert.include(message, words)
        assert.deepStrictEqual(yield* Temporary.names(root, "buttons"), [])
      })
    )
  )

  it.live("makes no more than a folder of a thousand", () =>
    creating("enabled", (client, root) =>
      Effect.gen(function* () {
        const others = Array.from({ length: 999 }, (_, index) => `buttons/b${index}/button.json`)
        yield* Temporary.write(root, Object.fromEntries(others.map((path) => [path, "{}"])))
        yield* client.call("buttons_create", greeter)
        assert.strictEqual((yield* press(client)).stdout, "hi Ada\n")
        const reply = yield* client.call("buttons_create", { ...greeter, name: "another" })
        assert.isTrue(reply["isError"])
        assert.deepInclude(Conversation.said(reply), {
          code: "STORAGE_ERROR",
          message: "There are 1000 buttons already; no more are made until some are removed"
        })
        assert.lengthOf(yield* Temporary.names(root, "buttons"), 1_000)
      })
    )
  )

  it.live("gives no way to a secret or into a private network", () =>
    creating("enabled", (client) =>
      Effect.gen(function* () {
        const tools = yield* client.tools
        const schema = JSON.stringify(tools.find(({ name }) => name === "buttons_create")?.["inputSchema"])
        for (const field of ["requires_batteries", "env", "allow_private_networks", "mcp_enabled"]) {
          assert.notInclude(schema, `"${field}":`)
        }
      })
    )
  )
})
