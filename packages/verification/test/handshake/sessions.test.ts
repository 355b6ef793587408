/** The life of a session over HTTP, beside the modern revision on the same URL. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { initialize, initialized, modern, request } from "../support/messages.js"
import { mirrored } from "../support/rawHttp.js"
import * as Fixture from "./support/fixture.js"
import { versions } from "./support/schema.js"

interface Sent {
  readonly method?: string
  readonly session?: string | undefined
  readonly headers?: Record<string, string>
  readonly body?: object
}

const send = ({ body, headers, method = "POST", session }: Sent) =>
  Effect.flatMap(Fixture.Fixture, ({ url }) =>
    Effect.promise(async () => {
      const response = await fetch(url, {
        method,
        headers: {
          accept: method === "POST" ? "application/json, text/event-stream" : "text/event-stream",
          ...(body && { "content-type": "application/json" }),
          ...(session && { "mcp-session-id": session }),
          ...headers
        },
        ...(body && { body: JSON.stringify(body) })
      })
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false
      if (isStream) await response.body?.cancel()
      const text = isStream ? "" : await response.text()
      return { status: response.status, headers: response.headers, text, isStream }
    })
  )

const open = (version: string) =>
  Effect.gen(function* () {
    const { headers, status } = yield* send({ body: initialize(1, version) })
    assert.strictEqual(status, 200)
    const session = headers.get("mcp-session-id")
    if (session === null) throw new Error("no session")
    yield* send({ session, body: initialized })
    return session
  })

const list = request(2, "tools/list")

layer(Fixture.layer, { excludeTestServices: true })("a session", (it) => {
  // verifies: SH-40, SH-41
  it.scoped("has an id that nobody can guess, in characters that a header can hold", () =>
    Effect.gen(function* () {
      const ids = yield* Effect.all(
        Array.from({ length: 50 }, () => open("2025-11-25")),
        {
          concurrency: 10
        }
      )
      assert.strictEqual(new Set(ids).size, 50)
      for (const id of ids) assert.match(id, /^[\x21-\x7e]{32,}$/)
    })
  )

  // verifies: SH-01, SH-05, SH-06, SH-20, SH-43, SH-45, LC-07
  it.scoped.each(versions)("of %s lives from initialize to DELETE, on one URL", (version) =>
    Effect.gen(function* () {
      const session = yield* open(version)
      const told = yield* send({ session, body: initialized })
      assert.deepStrictEqual([told.status, told.text], [202, ""])
      const answered = yield* send({ session, body: list })
      assert.strictEqual(answered.status, 200)
      assert.property(JSON.parse(answered.text), "result")
      const listening = yield* send({ method: "GET", session })
      assert.deepStrictEqual([listening.status, listening.isStream], [200, true])
      assert.strictEqual((yield* send({ method: "DELETE", session })).status, 204)
      for (const sent of [{ body: list }, { body: initialized }, { method: "GET" }, { method: "DELETE" }]) {
        assert.strictEqual((yield* send({ ...sent, session })).status, 404)
      }
    })
  )

  // verifies: SH-60
  it.scoped("is closed to pages of other origins, whatever they send", () =>
    Effect.gen(function* () {
      const session = yield* open("2025-11-25")
      const headers = { origin: "https://evil.test" }
      for (const sent of [{ body: list }, { body: initialize(1) }, { method: "GET" }, { method: "DELETE" }]) {
        const { status, text } = yield* send({ ...sent, session, headers })
        assert.strictEqual(status, 403)
        assert.notProperty(JSON.parse(text), "id")
      }
      assert.strictEqual((yield* send({ session, body: list })).status, 200)
    })
  )

  // verifies: SH-50, SH-51, SH-52, SH-53, SH-54, DI-14
  it.scoped("takes the version of its handshake, and refuses one that is not served", () =>
    Effect.gen(function* () {
      const session = yield* open("2025-06-18")
      for (const [version, status] of [
        [undefined, 200],
        ["2025-06-18", 200],
        ["2025-11-25", 200],
        ["2023-01-01", 400],
        ["", 400]
      ] as const) {
        const headers = version === undefined ? {} : { "mcp-protocol-version": version }
        const answer = yield* send({ session, headers, body: request(2, "tools/list") })
        assert.strictEqual(answer.status, status, version)
        // Written for 2025-06-18 in any case.
        assert.notInclude(answer.text, '"icons"')
      }
    })
  )

  // verifies: DL-45
  it.scoped("has no use for the headers of 2026-07-28, whatever they say", () =>
    Effect.gen(function* () {
      const session = yield* open("2025-11-25")
      const headers = { "mcp-method": "prompts/list", "mcp-name": "nobody" }
      const { status, text } = yield* send({ session, headers, body: list })
      assert.strictEqual(status, 200)
      assert.property(JSON.parse(text).result, "tools")
    })
  )

  // verifies: SH-47, TRAP-12, DL-43, LC-31
  it.scoped("means nothing to requests of 2026-07-28 that name it", () =>
    Effect.gen(function* () {
      for (const session of [yield* open("2025-11-25"), "gone"]) {
        const body = modern(3, "tools/list")
        const answer = yield* send({ session, headers: mirrored(body), body })
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(JSON.parse(answer.text).result.resultType, "complete")
        assert.isNull(answer.headers.get("mcp-session-id"))
      }
    })
  )
})
