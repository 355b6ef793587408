import { assert, describe, it } from "@effect/vitest"
import * as IdSource from "@pushbutton/server/IdSource"
import type { LegacySession } from "@pushbutton/server/LegacySession"
import * as TestSession from "@pushbutton/server/testing/TestSession"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as EventStore from "../src/EventStore.js"
import * as HttpTransport from "../src/HttpTransport.js"
import * as RandomIds from "../src/RandomIds.js"
import * as FakeDispatcher from "./fakes/dispatcher.js"
import { send } from "./support/client.js"
import { json, legacy } from "./support/messages.js"
import { startWith } from "./support/server.js"

const accepting = FakeDispatcher.layer(() => ({ _tag: "Accept" }))
const reply = { status: 200, text: '{"ok":true}' }
const request = { id: 1, method: "any" }
const sent = (url: string) => legacy(url, undefined, request)

/** A logger that keeps what was logged. */
const makeLog = () => {
  const messages: Array<string> = []
  const logger = Logger.make(({ cause, message }) => {
    messages.push(`${message} ${Cause.pretty(cause)}`)
  })
  return { messages, layer: Logger.replace(Logger.defaultLogger, logger) }
}

describe("HttpTransport", () => {
  it.scopedLive("tells the address it was bound to", () =>
    Effect.gen(function* () {
      const { port, url } = yield* startWith(accepting, { path: "tools/" })
      assert.strictEqual(url, `http://127.0.0.1:${port}/tools/`)
      assert.strictEqual((yield* send(sent(url))).status, 202)
    })
  )

  it.scopedLive("fails when it cannot listen, and says why", () =>
    Effect.gen(function* () {
      const { port } = yield* startWith(accepting)
      const cases: ReadonlyArray<readonly [host: string, port: number, code: string]> = [
        ["127.0.0.1", port, "EADDRINUSE"],
        ["192.0.2.1", 0, "EADDRNOTAVAIL"],
        ["127.0.0.1", 70_000, "ERR_SOCKET_BAD_PORT"]
      ]
      for (const [host, port, code] of cases) {
        const failure = yield* Effect.flip(startWith(accepting, { host, port }))
        assert.deepInclude(failure, { _tag: "ListenFailed", host, port, code })
        assert.include(failure.message, code === "ERR_SOCKET_BAD_PORT" ? "70000" : code)
      }
    })
  )

  it.scopedLive("frees its port when its layer closes", () =>
    Effect.gen(function* () {
      const first = yield* Effect.scoped(startWith(accepting))
      const second = yield* startWith(accepting, { port: first.port })
      assert.strictEqual(second.port, first.port)
    })
  )

  it.scopedLive("gives the dispatcher the request's headers", () =>
    Effect.gen(function* () {
      const dispatcher = FakeDispatcher.layer((_, { header }) => ({
        _tag: "Reply",
        reply: {
          status: 200,
          text: JSON.stringify([header?.("x-one"), header?.("x-two"), header?.("constructor")])
        }
      }))
      const { url } = yield* startWith(dispatcher)
      const answer = yield* send({ url, headers: { ...json, "X-One": "1" }, body: "{}" })
      assert.deepStrictEqual(JSON.parse(answer.body), ["1", null, null])
    })
  )

  describe("after a defect", () => {
    const internalError = { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Internal error" } }

    it.scopedLive("of the dispatcher answers with an internal error, logs it, and goes on", () =>
      Effect.gen(function* () {
        const log = makeLog()
        let calls = 0
        const dispatcher = FakeDispatcher.layer(() => {
          calls++
          if (calls === 1) throw new Error("secret")
          return { _tag: "Reply", reply }
        })
        const { url } = yield* startWith(Layer.provideMerge(dispatcher, log.layer))
        const broken = yield* send(sent(url))
        assert.strictEqual(broken.status, 500)
        assert.deepStrictEqual(JSON.parse(broken.body), internalError)
        assert.include(log.messages.join("\n"), "secret")
        assert.strictEqual((yield* send(sent(url))).body, reply.text)
      })
    )

    it.scopedLive("of a call that cannot start is refused by its own reply, and frees its id", () =>
      Effect.gen(function* () {
        const log = makeLog()
        let calls = 0
        const dispatcher = FakeDispatcher.layer((_, { session }) => {
          if (session === undefined) return { _tag: "Open", session: TestSession.make(), reply }
          const decision = FakeDispatcher.call("legacy", () => Effect.succeed(reply))
          calls++
          if (calls > 1 || decision._tag !== "Call") return decision
          const start = () => {
            throw new Error("secret")
          }
          return { _tag: "Call", call: { ...decision.call, start } }
        })
        const { url } = yield* startWith(Layer.provideMerge(dispatcher, log.layer))
        yield* send(sent(url))
        const broken = yield* send(legacy(url, "id-1", request))
        assert.strictEqual(broken.status, 200)
        assert.deepStrictEqual(JSON.parse(broken.body), { refused: true })
        assert.strictEqual((yield* send(legacy(url, "id-1", request))).body, reply.text)
      })
    )

    const unwritable = {
      status: 200,
      get text(): string {
        throw new Error("secret")
      }
    }

    it.scopedLive("of writing the reply answers with an internal error", () =>
      Effect.gen(function* () {
        const log = makeLog()
        const dispatcher = FakeDispatcher.layer(() =>
          FakeDispatcher.call("modern", () => Effect.as(Effect.yieldNow(), unwritable))
        )
        const { url } = yield* startWith(Layer.provideMerge(dispatcher, log.layer))
        const broken = yield* send(sent(url))
        assert.strictEqual(broken.status, 500)
        assert.deepStrictEqual(JSON.parse(broken.body), internalError)
      })
    )

    it.scopedLive("of writing the reply to an open stream cuts the connection", () =>
      Effect.gen(function* () {
        const log = makeLog()
        const dispatcher = FakeDispatcher.layer(() =>
          FakeDispatcher.call("modern", (outlet) => Effect.as(outlet.notify("{}") ?? Effect.void, unwritable))
        )
        const { url } = yield* startWith(Layer.provideMerge(dispatcher, log.layer))
        assert.instanceOf(yield* Effect.flip(send(sent(url))), Error)
        assert.include(log.messages.join("\n"), "secret")
      })
    )

    it.scopedLive(
      "of the source of ids answers with an internal error, and closes the session that has none",
      () =>
        Effect.gen(function* () {
          const session = TestSession.make()
          const url = yield* startWithIds(Effect.die(new Error("secret")), session, makeLog().layer)
          const answer = yield* send(sent(url))
          assert.deepStrictEqual([answer.status, JSON.parse(answer.body)], [500, internalError])
          yield* session.ready
        })
    )
  })

  it.scopedLive("waits for an id that takes its time", () =>
    Effect.gen(function* () {
      const url = yield* startWithIds(Effect.as(Effect.yieldNow(), "far"), TestSession.make(), Layer.empty)
      assert.strictEqual((yield* send(sent(url))).headers["mcp-session-id"], "far")
      assert.strictEqual((yield* send(legacy(url, "far", request))).status, 200)
      assert.strictEqual((yield* send(legacy(url, "near", request))).status, 404)
    })
  )
})

describe("RandomIds", () => {
  it.effect("makes ids of visible ASCII that do not repeat", () =>
    Effect.gen(function* () {
      const ids = yield* IdSource.IdSource
      const made = yield* Effect.replicateEffect(ids.next, 100)
      assert.strictEqual(new Set(made).size, 100)
      for (const id of made) assert.match(id, /^[\x21-\x7e]{36}$/)
    }).pipe(Effect.provide(RandomIds.layer))
  )
})

/** Opens the session under the next id for whatever comes without one, and runs a call for all else. */
const startWithIds = (next: Effect.Effect<string>, session: LegacySession, log: Layer.Layer<never>) =>
  HttpTransport.layerWithStore({ port: 0, drainGrace: 0 }).pipe(
    Layer.provide([
      Layer.succeed(IdSource.IdSource, { next }),
      EventStore.layerMemory(),
      FakeDispatcher.layer((_, facts) =>
        facts.session === undefined
          ? { _tag: "Open", session, reply }
          : FakeDispatcher.call("legacy", () => Effect.succeed(reply))
      )
    ]),
    Layer.provide(log),
    Layer.build,
    Effect.map((context) => Context.get(context, HttpTransport.HttpTransport).url)
  )
