/** Streams that end before their response, and how clients come back for the rest. */
import { assert, layer } from "@effect/vitest"
import type { LegacyVersion } from "@pushbutton/protocol/ProtocolVersion"
import * as Effect from "effect/Effect"
import { initialize, initialized, request } from "../support/messages.js"
import * as EventStream from "./support/eventStream.js"
import * as Fixture from "./support/fixture.js"
import { versions } from "./support/schema.js"

/** What a session is sent in answer to one request, read to its end. */
const ask = (url: string, headers: Record<string, string>, body?: object) =>
  Effect.promise(async () => {
    const response = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        accept: body === undefined ? "text/event-stream" : "application/json, text/event-stream",
        ...(body && { "content-type": "application/json" }),
        ...headers
      },
      ...(body && { body: JSON.stringify(body) })
    })
    const events: Array<EventStream.Event> = []
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false
    if (isStream) await EventStream.read(response, (event) => events.push(event))
    const text = isStream ? "" : await response.text()
    return { status: response.status, headers: response.headers, events, text }
  })

const open = (version: LegacyVersion) =>
  Effect.gen(function* () {
    const { url } = yield* Fixture.Fixture
    const { headers } = yield* ask(url, {}, initialize(1, version))
    const session = { "mcp-session-id": headers.get("mcp-session-id") ?? "" }
    yield* ask(url, session, initialized)
    const call = (name: string, meta: object = {}) =>
      ask(url, session, request(7, "tools/call", { name, arguments: {}, _meta: meta }))
    const resume = (lastEventId: string) => ask(url, { ...session, "last-event-id": lastEventId })
    return { call, resume }
  })

const messagesOf = (events: ReadonlyArray<EventStream.Event>) =>
  events.flatMap(({ data }) => (data === "" ? [] : [JSON.parse(data)]))

const answer = "The client came back for this, or waited."

layer(Fixture.layer, { excludeTestServices: true })("a client over HTTP", (it) => {
  // verifies: SH-12, SH-26, SH-27, SH-29, SH-31, SH-32, DL-44, P-57
  it.scoped("of 2025-11-25 polls for an answer whose connection has been ended", () =>
    Effect.gen(function* () {
      const { call, resume } = yield* open("2025-11-25")
      const { events, status } = yield* call("test_reconnection")
      assert.strictEqual(status, 200)
      const [first] = events
      assert.strictEqual(first?.data, "", "primed")
      assert.isTrue(events.some(({ retry }) => retry === 50))
      assert.lengthOf(messagesOf(events), 0, "the answer is not there yet")
      const rest = yield* resume(events.flatMap(({ id }) => (id === undefined ? [] : [id])).at(-1) ?? "")
      assert.strictEqual(rest.status, 200)
      const [response, ...more] = messagesOf(rest.events)
      assert.strictEqual(response.id, 7)
      assert.strictEqual(response.result.content[0].text, answer)
      assert.lengthOf(more, 0)
    })
  )

  // verifies: SH-30, TRAP-10, P-57
  it.scoped.each(versions.filter((version) => version !== "2025-11-25"))(
    "of %s is neither primed nor sent away: it gets its answer where it waits",
    (version) =>
      Effect.gen(function* () {
        const { call } = yield* open(version)
        const waited = yield* call("test_reconnection")
        const messages = waited.text === "" ? messagesOf(waited.events) : [JSON.parse(waited.text)]
        assert.strictEqual(messages.at(-1).result.content[0].text, answer)
        const { events } = yield* call("test_tool_with_progress", { progressToken: 1 })
        assert.lengthOf(messagesOf(events), 4)
        for (const { data, retry } of [...waited.events, ...events]) {
          assert.isUndefined(retry)
          assert.isNotEmpty(data)
        }
      })
  )

  // verifies: SH-22, SH-25, SH-27, SH-28, TRAP-20
  it.scoped("resumes its own stream only, where it is, and from nowhere else", () =>
    Effect.gen(function* () {
      const mine = yield* open("2025-11-25")
      const other = yield* open("2025-11-25")
      const one = yield* mine.call("test_tool_with_progress", { progressToken: "one" })
      const two = yield* mine.call("test_tool_with_progress", { progressToken: "two" })
      const ids = [...one.events, ...two.events].flatMap(({ id }) => (id === undefined ? [] : [id]))
      assert.strictEqual(new Set(ids).size, ids.length)
      const from = one.events.find(({ data }) => data !== "")?.id ?? ""
      const rest = yield* mine.resume(from)
      assert.deepStrictEqual(messagesOf(rest.events), messagesOf(one.events).slice(1))
      for (const refused of [yield* other.resume(from), yield* mine.resume("nope")]) {
        assert.strictEqual(refused.status, 400)
      }
    })
  )
})
