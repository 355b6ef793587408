import { assert, describe, it } from "@effect/vitest"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import { legacyVersions } from "@pushbutton/protocol/ProtocolVersion"
import type { Decision, Facts } from "@pushbutton/server/Decision"
import * as FastCheck from "effect/FastCheck"
import * as Batch from "../src/internal/batch.js"
import { headersOf, session } from "./support/conversation.js"

const accept: Decision = { _tag: "Accept" }

/** As over HTTP, where the body of a refusal needs no id. */
const factsOf = (facts: Partial<Facts>): Facts => ({ header: headersOf({}), session: undefined, ...facts })

const decide = (
  messages: ReadonlyArray<object | number>,
  facts: Partial<Facts>,
  decideOne: (message: JsonRpc.Message) => Decision = () => accept
): Decision => {
  const decoded = JsonRpc.decode(JSON.stringify(messages))
  return decoded._tag === "Batch"
    ? Batch.decide(decoded, factsOf(facts), decideOne)
    : assert.fail("the messages are no batch")
}

const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" })

const refusalOf = (decision: Decision) => {
  if (decision._tag !== "Reply") return assert.fail(`${decision._tag} is no refusal`)
  const { status, text } = decision.reply
  const { error, ...rest } = JSON.parse(text)
  return { status, code: error.code, rest, message: error.message }
}

const refused = { status: 400, code: -32600, rest: { jsonrpc: "2.0" } }

describe("a batch", () => {
  // verifies: BA-06, ST-05
  it("is taken in a session of 2025-03-26 alone", () => {
    for (const version of legacyVersions) {
      const decision = decide([ping(1)], { session: session(version) })
      if (version === "2025-03-26") assert.strictEqual(decision._tag, "Batch")
      else assert.deepInclude(refusalOf(decision), refused)
    }
    assert.deepInclude(refusalOf(decide([ping(1)], {})), refused)
  })

  // verifies: BA-06
  it("is taken without a session where no other revision is named", () => {
    const named = (version?: string): Partial<Facts> => ({
      isSessionless: true,
      header: headersOf(version === undefined ? {} : { "MCP-Protocol-Version": version })
    })
    for (const version of [undefined, "2025-03-26", " 2025-03-26 "]) {
      assert.strictEqual(decide([ping(1)], named(version))._tag, "Batch")
    }
    for (const version of ["2025-06-18", "2024-11-05", "2026-07-28", ""]) {
      assert.deepInclude(refusalOf(decide([ping(1)], named(version))), refused)
    }
  })

  it("that is refused is dropped where nothing can carry an error without an id", () => {
    const tags = legacyVersions.map((version) => {
      const messages = version === "2025-03-26" ? [] : [ping(1)]
      return [version, decide(messages, { session: session(version), header: undefined })._tag]
    })
    assert.deepStrictEqual(Object.fromEntries(tags), {
      "2024-11-05": "Drop",
      "2025-03-26": "Drop",
      "2025-06-18": "Drop",
      "2025-11-25": "Reply"
    })
    assert.strictEqual(decide([ping(1)], { header: undefined })._tag, "Reply")
  })

  it("answers no more than can be one text", () => {
    const page = "x".repeat(1024 * 1024)
    const messages = Array.from({ length: 80 }, (_, id) => ping(id))
    const decision = decide(messages, { session: session("2025-03-26") }, () => ({
      _tag: "Reply",
      reply: { status: 200, text: page }
    }))
    const texts =
      decision._tag === "Batch"
        ? decision.decisions.map((one) => (one._tag === "Reply" ? one.reply.text : ""))
        : []
    assert.strictEqual(texts.filter((text) => text === page).length, 64)
    const refused = texts.slice(64).map((text) => JSON.parse(text))
    assert.deepStrictEqual(
      refused.map(({ id }) => id),
      [64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79]
    )
    for (const { error } of refused) assert.include(error.message, "send this request by itself")
  })

  // verifies: LC-13, BA-08
  it("is refused as a whole for one message that must stand alone", () => {
    const modern = {
      ...ping(2),
      params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }
    }
    const initialize = { ...ping(2), method: "initialize", params: {} }
    for (const one of [modern, initialize]) {
      let decided = 0
      const decision = decide([ping(1), one], { session: session("2025-03-26") }, () => {
        decided++
        return accept
      })
      assert.deepInclude(refusalOf(decision), refused)
      assert.strictEqual(decided, 0)
    }
  })

  // verifies: BA-05
  it("holds a message, and not too many", () => {
    const facts = { session: session("2025-03-26") }
    const many = (count: number) => Array.from({ length: count }, (_, id) => ping(id))
    assert.strictEqual(decide(many(JsonRpc.maxBatch), facts)._tag, "Batch")
    for (const count of [0, JsonRpc.maxBatch + 1, 2 * JsonRpc.maxBatch]) {
      assert.deepInclude(refusalOf(decide(many(count), facts)), refused)
    }
  })

  it("opens neither a subscription nor a session", () => {
    const opening: Decision = {
      _tag: "Open",
      session: session("2025-03-26"),
      reply: { status: 200, text: "{}" }
    }
    const decision = decide([ping(7)], { session: session("2025-03-26") }, () => opening)
    const [only] = decision._tag === "Batch" ? decision.decisions : []
    if (only?._tag !== "Reply") return assert.fail("the message is not answered")
    const { error, id } = JSON.parse(only.reply.text)
    assert.deepStrictEqual([id, error.code], [7, -32600])
  })

  const kinds = {
    request: (id: number) => ping(id),
    notification: () => ({ jsonrpc: "2.0", method: "notifications/x" }),
    response: (id: number) => ({ jsonrpc: "2.0", id, result: {} }),
    malformed: () => 7
  }

  const kindNames = ["request", "notification", "response", "malformed"] as const

  // verifies: BA-02
  it("is decided message by message, in order, whatever the mix", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.constantFrom(...kindNames), {
          minLength: 1,
          maxLength: 20
        }),
        (mix) => {
          const asked: Array<string> = []
          const decision = decide(
            mix.map((kind, id) => kinds[kind](id)),
            { session: session("2025-03-26") },
            (message) => {
              asked.push(message._tag.toLowerCase())
              return { _tag: "Reply", reply: { status: 200, text: String(asked.length) } }
            }
          )
          const messages = mix.filter((kind) => kind !== "malformed")
          assert.deepStrictEqual(asked, messages)
          const answers = messages.map((_, index) => String(index + 1))
          assert.deepStrictEqual(
            decision._tag === "Batch"
              ? decision.decisions.map((one) => (one._tag === "Reply" ? one.reply.text : one._tag))
              : [],
            mix.map((kind) => (kind === "malformed" ? "Drop" : answers.shift()))
          )
        }
      )
    )
  })
})
