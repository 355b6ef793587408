/** `pushbutton http --sse`, through the binary. */
import { assert, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js"
import * as Effect from "effect/Effect"
import * as Binary from "../support/binary.js"
import { dataFolder } from "../support/buttons.js"

const connect = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "tests", version: "1" })
      await client.connect(new SSEClientTransport(new URL(url)))
      return client
    }),
    (client) => Effect.promise(() => client.close())
  )

describe("pushbutton http --sse", () => {
  // verifies: HS-01, HS-08
  it.scopedLive("says where HTTP+SSE is, and serves the official client there", () =>
    Effect.gen(function* () {
      const { prints } = yield* Binary.http(yield* dataFolder, ["--sse"])
      const [, sseUrl = ""] = yield* prints(/and at (http:\S+\/sse) for clients of HTTP\+SSE/)
      const client = yield* connect(sseUrl)
      const pressed = yield* Effect.promise(() =>
        client.callTool({ name: "buttons_press", arguments: { name: "greet", args: { who: "Ada" } } })
      )
      assert.deepInclude(pressed.structuredContent, { button: "greet", stdout: "hello Ada\n" })
    })
  )

  // verifies: DC-10
  it.scopedLive("is asked for: without it there is nothing at its paths", () =>
    Effect.gen(function* () {
      const { stdout, url } = yield* Binary.http(yield* dataFolder)
      const { status } = yield* Effect.promise(() => fetch(new URL("/sse", url)))
      assert.strictEqual(status, 404)
      assert.notInclude(stdout(), "SSE")
    })
  )

  it.scopedLive("is refused where it would serve nobody", () =>
    Effect.gen(function* () {
      const refused = yield* Binary.start([
        "http",
        "--dir",
        yield* dataFolder,
        "--port",
        "0",
        "--sse",
        "--modern-only"
      ])
      assert.strictEqual((yield* refused.exited).code, 1)
      assert.include(refused.stderr(), "--modern-only")
    })
  )
})
