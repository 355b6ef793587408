/** The official client 1.x over connections that break. */

import { assert, layer } from "@effect/vitest"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import * as Effect from "effect/Effect"
import * as Fixture from "../handshake/support/fixture.js"
import type { Json } from "../support/rawHttp.js"
import * as Official from "./support/client.js"

/** Cuts each answer to a call once an event of it has come, and counts what is asked for again. */
const breaking = () => {
  const resumed: Array<string> = []
  const cut = (response: Response) => {
    let isCut = false
    return new Response(
      response.body?.pipeThrough(
        new TransformStream({
          transform(chunk: Uint8Array, controller) {
            if (isCut) return
            controller.enqueue(chunk)
            if (!new TextDecoder().decode(chunk).includes("notifications/progress")) return
            isCut = true
            controller.error(new Error("the connection is lost"))
          }
        })
      ),
      { status: response.status, headers: response.headers }
    )
  }
  const fetchCut: typeof fetch = async (url, init) => {
    const headers = new Headers(init?.headers)
    const lastEventId = headers.get("last-event-id")
    if (lastEventId !== null) resumed.push(lastEventId)
    const response = await fetch(url, init)
    return String(init?.body ?? "").includes('"tools/call"') ? cut(response) : response
  }
  return { fetch: fetchCut, resumed }
}

layer(Fixture.layer, { excludeTestServices: true })("the official client 1.x", (it) => {
  // verifies: SH-12, SH-13, SH-26, SH-27, DL-37, DL-44
  it.scoped("gets the rest of an answer whose connection broke, and nothing twice", () =>
    Effect.gen(function* () {
      const url = new URL((yield* Fixture.Fixture).url)
      const { fetch, resumed } = breaking()
      const { client } = yield* Official.connect(
        new StreamableHTTPClientTransport(url, {
          fetch,
          reconnectionOptions: {
            initialReconnectionDelay: 1,
            maxReconnectionDelay: 10,
            reconnectionDelayGrowFactor: 1,
            maxRetries: 5
          }
        })
      )
      const seen: Array<number> = []
      const result: Json = yield* Effect.promise(() =>
        client.callTool({ name: "test_tool_with_progress" }, undefined, {
          onprogress: ({ progress }) => seen.push(progress)
        })
      )
      assert.strictEqual(result.content[0].text, "All steps are done.")
      assert.deepStrictEqual(seen, [0, 50, 100])
      assert.lengthOf(resumed, 1)
    })
  )

  // verifies: SH-43, SH-45
  it.scoped("is refused once it has ended its session", () =>
    Effect.gen(function* () {
      const url = new URL((yield* Fixture.Fixture).url)
      const transport = new StreamableHTTPClientTransport(url)
      const { client } = yield* Official.connect(transport)
      const { sessionId = "" } = transport
      yield* Effect.promise(() => transport.terminateSession())
      const refused = yield* Effect.promise(() =>
        client.listTools().then(
          () => "answered",
          ({ code }) => code
        )
      )
      assert.strictEqual(refused, 400, "it no longer names a session")
      for (const method of ["GET", "DELETE"]) {
        const headers = { accept: "text/event-stream", "mcp-session-id": sessionId }
        const { status } = yield* Effect.promise(() => fetch(url, { method, headers }))
        assert.strictEqual(status, 404, method)
      }
    })
  )
})
