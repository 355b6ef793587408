/** Pages in 2025-11-25: by request, and by the error that names them where no request can go out. */
import { assert, describe, it } from "@effect/vitest"
import type { LegacyVersion } from "@pushbutton/protocol/ProtocolVersion"
import * as Ask from "@pushbutton/server/Ask"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Handler, withHandler } from "./support/asking.js"
import { accept, answering, call } from "./support/client.js"
import { connect, type Options } from "./support/legacyClient.js"

const page = (key: string) => Ask.url(key, { message: key, url: `https://example.com/${key}` })

const form = Ask.form("f", { message: "f", schema: Schema.Struct({}) })

const show = (outcome: unknown) => JSON.stringify(outcome)

const visits = Effect.map(page("a"), show)

const agrees: Options = { user: () => ({ result: accept() }) }

describe("a page in a session of 2025-11-25", () => {
  // verifies: EL-07, IN-54
  it.effect("is asked for under an unguessable id of its own", () =>
    withHandler(
      Effect.map(Ask.all({ a: page("a"), b: page("b") }), show),
      Effect.gen(function* () {
        const client = yield* connect("2025-11-25", agrees)
        yield* client.call("t")
        yield* client.call("t")
        const params = client.asked().map(({ params }) => params)
        const { elicitationId, ...rest } = params[0]
        assert.deepStrictEqual(rest, { mode: "url", message: "a", url: "https://example.com/a" })
        assert.match(elicitationId, /^[A-Za-z0-9_-]{24}$/)
        assert.strictEqual(new Set(params.map((one) => one.elicitationId)).size, 4)
      })
    )
  )

  // verifies: EL-08, IN-60, TRAP-30
  it.effect("is accepted when the user agrees to open it, with no content", () =>
    withHandler(
      visits,
      Effect.gen(function* () {
        const client = yield* connect("2025-11-25", { user: () => ({ result: accept({ token: "x" }) }) })
        assert.strictEqual((yield* client.call("t"))?.text, show({ _tag: "Accepted" }))
      })
    )
  )

  for (const handlers of ["wait", "replay"] as const) {
    // verifies: EL-09, IN-63
    it.effect(`is told to be done with, once, to the client that was asked (${handlers})`, () =>
      withHandler(
        Effect.gen(function* () {
          yield* Ask.complete("a")
          yield* page("a")
          yield* page("b")
          yield* Ask.complete("a")
          yield* Ask.complete("a")
          yield* Ask.complete("other")
          return ""
        }),
        Effect.gen(function* () {
          const client = yield* connect("2025-11-25", agrees)
          yield* client.call("t")
          const [asked] = client.asked()
          assert.deepStrictEqual(
            client.sent.filter(({ id }) => id === undefined),
            [
              {
                jsonrpc: "2.0",
                method: "notifications/elicitation/complete",
                params: { elicitationId: asked?.params.elicitationId }
              }
            ]
          )
        }),
        { legacyAsks: { handlers } }
      )
    )

    for (const action of ["decline", "cancel"]) {
      it.effect(`is not told to be done with to whom ${action}s to open it (${handlers})`, () =>
        withHandler(
          Effect.zipRight(page("a"), Effect.as(Ask.complete("a"), "done")),
          Effect.gen(function* () {
            const client = yield* connect("2025-11-25", { user: () => ({ result: { action } }) })
            assert.strictEqual((yield* client.call("t"))?.text, "done")
            assert.deepStrictEqual(
              client.sent.filter(({ id }) => id === undefined),
              []
            )
          }),
          { legacyAsks: { handlers } }
        )
      )
    }
  }

  it.effect("is not told to be done with to a client of 2026-07-28, which comes back by itself", () =>
    withHandler(
      Effect.zipRight(page("a"), Effect.as(Ask.complete("a"), "done")),
      Effect.gen(function* () {
        const asked = yield* call("t")
        assert.strictEqual((yield* call("t", answering(asked, { a: accept() }))).text, "done")
      })
    )
  )
})

describe("a page where no request can go out", () => {
  const calls = (
    handler: Handler,
    version: LegacyVersion,
    options: Options,
    { isAllowed = false }: { readonly isAllowed?: boolean } = {}
  ) =>
    withHandler(
      handler,
      Effect.gen(function* () {
        const client = yield* connect(version, options)
        const reply = yield* client.call("t")
        assert.deepStrictEqual(client.sent, [])
        return reply
      }),
      { legacyAsks: { urlErrors: isAllowed } }
    )

  const withoutSession: Options = { stream: "sessionless" }
  const withoutStream: Options = { stream: "none" }
  const allowed = { isAllowed: true }

  const ending: ReadonlyArray<readonly [string, Options, object]> = [
    ["its client has declared pages", withoutStream, {}],
    ["its client is unknown, and the server takes the risk", withoutSession, allowed]
  ]
  for (const [name, options, server] of ending) {
    // verifies: EL-10, IN-61
    it.effect(`ends the call with an error that names it, if ${name}`, () =>
      Effect.gen(function* () {
        const reply = yield* calls(visits, "2025-11-25", options, server)
        assert.strictEqual(reply?.status, 200)
        assert.strictEqual(reply?.error?.code, -32042)
        const [{ elicitationId, ...elicitation }] = reply?.error?.data.elicitations ?? []
        assert.deepStrictEqual(elicitation, { mode: "url", message: "a", url: "https://example.com/a" })
        assert.match(elicitationId, /^[A-Za-z0-9_-]{24}$/)
      })
    )
  }

  it.effect("ends the call with the others of its round", () =>
    Effect.gen(function* () {
      const both = Effect.map(Ask.all({ a: page("a"), b: page("b") }), show)
      const reply = yield* calls(both, "2025-11-25", withoutStream)
      const named = reply?.error?.data.elicitations ?? []
      assert.deepStrictEqual(
        named.map(({ message }: { readonly message: string }) => message),
        ["a", "b"]
      )
      assert.notStrictEqual(named[0].elicitationId, named[1].elicitationId)
    })
  )

  it.effect("ends the call whatever the handler does about errors", () =>
    Effect.gen(function* () {
      const stubborn = Effect.catchAllCause(visits, () => Effect.succeed("caught"))
      const reply = yield* calls(Effect.uninterruptible(stubborn), "2025-11-25", withoutStream)
      assert.strictEqual(reply?.error?.code, -32042)
    })
  )

  it.effect("is not needed any more when the client calls again", () =>
    Effect.gen(function* () {
      let wasVisited = false
      const handler = Effect.suspend(() => (wasVisited ? Effect.succeed("done") : visits))
      yield* withHandler(
        handler,
        Effect.gen(function* () {
          const client = yield* connect("2025-11-25", withoutStream)
          assert.strictEqual((yield* client.call("t"))?.error?.code, -32042)
          wasVisited = true
          assert.strictEqual((yield* client.call("t"))?.text, "done")
        })
      )
    })
  )

  const unavailable: ReadonlyArray<readonly [string, Handler, LegacyVersion, Options, object]> = [
    ["the server takes no risk", visits, "2025-11-25", withoutSession, {}],
    [
      "the client has not declared pages",
      visits,
      "2025-11-25",
      { ...withoutStream, capabilities: { elicitation: {} } },
      allowed
    ],
    ["the revision has no such error", visits, "2025-06-18", withoutSession, allowed],
    ["a form is asked", Effect.map(form, show), "2025-11-25", withoutStream, allowed],
    [
      "a form is asked with it",
      Effect.map(Ask.all({ a: page("a"), form }), ({ a, form: { _tag } }) => `${a._tag} ${_tag}`),
      "2025-11-25",
      withoutStream,
      allowed
    ]
  ]
  for (const [name, handler, version, options, server] of unavailable) {
    // verifies: EL-10, IN-18, IN-61, TRAP-25
    it.effect(`is unavailable if ${name}`, () =>
      Effect.gen(function* () {
        const reply = yield* calls(handler, version, options, server)
        assert.isUndefined(reply?.error)
        assert.notInclude(reply?.text, "Accepted")
        assert.include(reply?.text, "Unavailable")
      })
    )
  }

  it.effect("is told to handlers as the one thing that can be asked", () =>
    Effect.gen(function* () {
      const handler = Effect.map(Effect.all([Ask.supports("url"), Ask.supports("form")]), show)
      assert.strictEqual((yield* calls(handler, "2025-11-25", withoutStream))?.text, show([true, false]))
      assert.strictEqual((yield* calls(handler, "2025-11-25", withoutSession))?.text, show([false, false]))
    })
  )
})
