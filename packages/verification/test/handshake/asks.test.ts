/** What handlers ask clients of handshake revisions: requests that each revision knows, or nothing. */
import { assert, layer } from "@effect/vitest"
import type { LegacyVersion } from "@pushbutton/protocol/ProtocolVersion"
import * as Effect from "effect/Effect"
import type { Json } from "../support/rawHttp.js"
import * as Peer from "./support/peer.js"
import * as Peers from "./support/peers.js"
import { versions } from "./support/schema.js"

const everything = { roots: {}, sampling: {}, elicitation: { form: {}, url: {} } }

const answers: Peer.Answers = {
  "roots/list": () => ({ roots: [{ uri: "file:///home", name: "home" }] }),
  "sampling/createMessage": () => ({
    role: "assistant",
    content: { type: "text", text: "Paris" },
    model: "m"
  }),
  "elicitation/create": ({ mode, requestedSchema }) =>
    mode === "url"
      ? { action: "accept" }
      : { action: "accept", content: contentFor(Object.keys(requestedSchema.properties)) }
}

const filledIn: Json = {
  name: "Ada",
  username: "ada",
  email: "ada@example.com",
  step1: "Ada",
  color: "red",
  ok: true
}

const contentFor = (fields: ReadonlyArray<string>) =>
  Object.fromEntries(fields.flatMap((field) => (field in filledIn ? [[field, filledIn[field]]] : [])))

const text = (answer: Json): string => answer.result.content[0].text

const hasForms = (version: LegacyVersion) => version >= "2025-06-18"

layer(Peers.layer({ capabilities: everything, answers }), { excludeTestServices: true })("a client", (it) => {
  for (const transport of Peers.transports) {
    const wire = Peers.wire(transport)

    const ready = (version: LegacyVersion) =>
      Effect.flatMap(Peers.Peers, (peers) => peers.of(transport, version))

    // verifies: DL-08, SA-01, SA-02, RO-01, EN-40, EL-01, EL-02, EL-03, EN-44, EN-45, IN-01, IN-50, IN-51, IN-53, DL-33
    it.scoped.each(versions)(
      `of %s on ${transport} is asked what it can be asked, in its own words`,
      (version) =>
        Effect.gen(function* () {
          const peer = yield* ready(version)
          const heard = peer.listen()
          assert.strictEqual(
            text(yield* peer.call("test_sampling", { prompt: "Capital of France?" })),
            "LLM response: Paris"
          )
          assert.deepStrictEqual(heard.told("sampling/createMessage"), [
            {
              messages: [{ role: "user", content: { type: "text", text: "Capital of France?" } }],
              maxTokens: 100
            }
          ])
          assert.strictEqual(text(yield* peer.call("test_input_required_result_list_roots")), "file:///home")
          const elicited = yield* peer.call("test_elicitation", { message: "Who?" })
          const [form] = heard.told("elicitation/create")
          if (hasForms(version)) {
            assert.include(text(elicited), '"username":"ada"')
            assert.strictEqual(form.message, "Who?")
            if (version === "2025-06-18") assert.notProperty(form, "mode")
          } else {
            assert.isUndefined(form)
            assert.strictEqual(text(elicited), "User response: unavailable")
          }
          assert.deepStrictEqual(peer.problems, [])
        })
    )

    // verifies: EN-30, EN-64, TRAP-01, TRAP-36
    it.scoped.each(versions)(`of %s on ${transport} cannot answer before it is asked`, (version) =>
      Effect.gen(function* () {
        const peer = yield* ready(version)
        const heard = peer.listen()
        const { result } = yield* peer.request("tools/call", {
          name: "test_input_required_result_sampling",
          inputResponses: {
            capital_question: { role: "assistant", content: { type: "text", text: "Rome" } }
          },
          requestState: "s"
        })
        assert.strictEqual(result.content[0].text, "Paris")
        assert.lengthOf(heard.told("sampling/createMessage"), 1)
        assert.deepStrictEqual(peer.problems, [])
      })
    )

    // verifies: EL-04, EL-06, EL-08, EN-48, EN-49, EN-50, TRAP-29, IN-14
    it.scoped.each(["2025-06-18", "2025-11-25"] as const)(
      `of %s on ${transport} gets forms that it can show`,
      (version) =>
        Effect.gen(function* () {
          const peer = yield* ready(version)
          const heard = peer.listen()
          yield* peer.call("test_elicitation_sep1034_defaults")
          yield* peer.call("test_elicitation_sep1330_enums")
          const [defaults, enums] = heard
            .told("elicitation/create")
            .map(({ requestedSchema }) => requestedSchema.properties)
          const defaultsOf = Object.entries<Json>(defaults).flatMap(([name, field]) =>
            "default" in field ? [name] : []
          )
          assert.deepStrictEqual(
            defaultsOf,
            version === "2025-06-18" ? ["verified"] : ["name", "age", "score", "status", "verified"]
          )
          if (version === "2025-11-25") {
            assert.deepStrictEqual(Object.keys(enums), [
              "untitledSingle",
              "titledSingle",
              "legacyEnum",
              "untitledMulti",
              "titledMulti"
            ])
          }
          assert.deepStrictEqual(peer.problems, [])
        })
    )

    // verifies: EL-07, EN-46, EN-47, IN-54, DL-35
    it.scoped.each(versions)(
      `of %s on ${transport} is sent to a page only where it has a word for it`,
      (version) =>
        Effect.gen(function* () {
          const peer = yield* ready(version)
          const heard = peer.listen()
          const answer = text(yield* peer.call("test_url_elicitation"))
          const visits = heard.told("elicitation/create")
          if (version === "2025-11-25") {
            assert.strictEqual(answer, "User response: accepted")
            assert.lengthOf(visits, 1)
            assert.include(visits[0], { mode: "url", url: "https://example.com/sign-in" })
            assert.isNotEmpty(visits[0].elicitationId)
            yield* peer.call("test_url_elicitation")
            const [, again] = heard.told("elicitation/create")
            assert.notStrictEqual(again.elicitationId, visits[0].elicitationId)
          } else {
            assert.strictEqual(answer, "User response: unavailable")
            assert.lengthOf(visits, 0)
          }
          assert.deepStrictEqual(peer.problems, [])
        })
    )

    // verifies: SA-01, EL-02, EL-05, RO-01, IN-12, IN-13, DL-34, TRAP-25, TRAP-31, P-72
    it.scoped.each(versions)(
      `of %s on ${transport} is asked nothing that it has not declared, and told so`,
      (version) =>
        Effect.gen(function* () {
          const peer = yield* Peer.open(yield* wire, { version, answers })
          for (const name of [
            "test_input_required_result_elicitation",
            "test_input_required_result_sampling",
            "test_input_required_result_list_roots"
          ]) {
            const { result } = yield* peer.call(name)
            assert.isTrue(result.isError, name)
            assert.isAbove(result.content[0].text.length, 10)
          }
          assert.strictEqual(
            (yield* peer.request("prompts/get", { name: "test_input_required_result_prompt" })).error.code,
            -32603
          )
          assert.lengthOf(
            peer.received.filter(({ id, method }) => id !== undefined && method !== undefined),
            0
          )
          if (hasForms(version)) {
            const urlOnly = yield* Peer.open(yield* wire, {
              version,
              capabilities: { elicitation: { url: {} } },
              answers
            })
            yield* urlOnly.call("test_input_required_result_elicitation")
            const forms = urlOnly.received.filter(({ method }) => method === "elicitation/create").length
            assert.strictEqual(forms, version === "2025-06-18" ? 1 : 0)
          }
          assert.deepStrictEqual(peer.problems, [])
        })
    )

    // verifies: SA-09, IN-04, IN-15, ER-06
    it.scoped.each(versions)(`of %s on ${transport} may refuse what it is asked`, (version) =>
      Effect.gen(function* () {
        const peer = yield* Peer.open(yield* wire, { version, capabilities: everything })
        for (const name of ["test_input_required_result_sampling", "test_input_required_result_list_roots"]) {
          assert.isTrue((yield* peer.call(name)).result.isError, name)
        }
        assert.deepStrictEqual((yield* peer.request("ping")).result, {})
        assert.deepStrictEqual(peer.problems, [])
      })
    )

    // verifies: IN-05, IN-20, IN-43
    it.scoped(`of 2025-11-25 on ${transport} is asked several things at once, or one after the other`, () =>
      Effect.gen(function* () {
        const peer = yield* ready("2025-11-25")
        assert.strictEqual(text(yield* peer.call("test_input_required_result_multi_round")), "Ada likes red.")
        assert.strictEqual(
          text(yield* peer.call("test_input_required_result_multiple_inputs")),
          "userName: Accepted\ncapital: Accepted\nfolders: Accepted"
        )
        assert.strictEqual(text(yield* peer.call("test_input_required_result_request_state")), "state-ok")
        assert.deepStrictEqual(peer.problems, [])
      })
    )

    // verifies: CA-02, IN-17
    it.scoped(
      `of 2025-11-25 on ${transport} is told that a question is withdrawn when it cancels the call`,
      () =>
        Effect.gen(function* () {
          const silent = new Promise<never>(() => {})
          const peer = yield* Peer.open(yield* wire, {
            version: "2025-11-25",
            capabilities: everything,
            answers: { "sampling/createMessage": () => silent }
          })
          const heard = peer.listen()
          const call = { name: "test_input_required_result_sampling", arguments: {} }
          yield* peer.send({ jsonrpc: "2.0", id: "asks", method: "tools/call", params: call })
          const question = yield* heard.next(({ method }) => method === "sampling/createMessage")
          yield* peer.send({
            jsonrpc: "2.0",
            method: "notifications/cancelled",
            params: { requestId: "asks" }
          })
          const withdrawn = yield* heard.next(({ method }) => method === "notifications/cancelled")
          assert.strictEqual(withdrawn.params.requestId, question.id)
          assert.deepStrictEqual((yield* peer.request("ping")).result, {})
          assert.deepStrictEqual(peer.problems, [])
        })
    )
  }
})
