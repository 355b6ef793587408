import { assert, describe, it } from "@effect/vitest"
import { assertRight } from "@effect/vitest/utils"
import type { JsonValue } from "@pushbutton/protocol/Json"
import * as Sampling from "@pushbutton/protocol/Sampling"
import * as Either from "effect/Either"
import { jsonValue } from "./arbitraries/json.js"

const text = (value: string) => ({ type: "text", text: value }) as const
const use = (id: string) => ({ type: "tool_use", id, name: "t", input: {} }) as const
const result = (toolUseId: string) => ({ type: "tool_result", toolUseId, content: [] }) as const
const user = (...content: ReadonlyArray<Sampling.Block>): Sampling.Message => ({ role: "user", content })
const assistant = (...content: ReadonlyArray<Sampling.Block>): Sampling.Message => ({
  role: "assistant",
  content
})

const problem = (...messages: ReadonlyArray<Sampling.Message>) =>
  Sampling.problemOf({ messages, maxTokens: 1 })

const plain: Sampling.Params = { messages: [], maxTokens: 1 }
const withTools: Sampling.Params = { ...plain, tools: [{ name: "t", inputSchema: { type: "object" } }] }
const answer = (content: JsonValue) => ({ role: "assistant", model: "m", content })

describe("Sampling", () => {
  describe("problemOf", () => {
    // verifies: SAMP-05
    it("finds none in conversations that may be sent", () => {
      assert.isUndefined(problem())
      assert.isUndefined(problem({ role: "user", content: text("a") }, assistant(text("b")), user(text("c"))))
      assert.isUndefined(
        problem(user(text("a")), assistant(text("b"), use("1"), use("2")), user(result("2"), result("1")))
      )
    })

    // verifies: SAMP-07
    it("refuses tool results beside something else, or of the assistant", () => {
      const alone = "tool results have to be alone in a user message"
      assert.strictEqual(problem(assistant(use("1")), user(result("1"), text("a"))), alone)
      assert.strictEqual(problem(assistant(use("1")), assistant(result("1"))), alone)
    })

    it("refuses tool uses of the user", () => {
      assert.strictEqual(problem(user(use("1"))), "only the assistant uses tools")
    })

    // verifies: SAMP-08, SAMP-09, SA-08
    it("refuses uses and results that do not match", () => {
      const each = "each tool use has to be answered by one tool result in the next message"
      assert.strictEqual(problem(assistant(use("1"), use("2")), user(result("1"))), each)
      assert.strictEqual(problem(assistant(use("1"), use("2")), user(result("1"), result("1"))), each)
      assert.strictEqual(problem(assistant(use("1")), user(text("a"))), each)
      assert.strictEqual(problem(user(result("1"))), each)
      assert.strictEqual(
        problem(assistant(use("1"))),
        "the last message leaves a tool use without its result"
      )
    })

    it("refuses a limit of tokens that is no positive integer", () => {
      for (const maxTokens of [0, -1, 1.5, Number.NaN]) {
        assert.strictEqual(
          Sampling.problemOf({ messages: [], maxTokens }),
          "maxTokens has to be a positive integer"
        )
      }
    })
  })

  describe("readResult", () => {
    it("reads one block or several, as several", () => {
      const read = { role: "assistant", model: "m", stopReason: undefined, content: [text("a")] } as const
      assertRight(Sampling.readResult(plain, answer(text("a"))), read)
      assertRight(Sampling.readResult(plain, answer([text("a")])), read)
    })

    it("reads media and the reason to stop", () => {
      const image = { type: "image", data: "AA==", mimeType: "image/png" } as const
      assertRight(Sampling.readResult(plain, { ...answer([image]), stopReason: "endTurn" }), {
        role: "assistant",
        model: "m",
        stopReason: "endTurn",
        content: [image]
      })
    })

    it("takes tool uses only where tools were offered", () => {
      assert.isTrue(Either.isRight(Sampling.readResult(withTools, answer(use("1")))))
      assert.isTrue(Either.isLeft(Sampling.readResult(plain, answer(use("1")))))
    })

    // verifies: SAMP-12, SAMP-16
    it("refuses what is no answer", () => {
      for (const response of [
        null,
        [],
        {},
        { role: "system", model: "m", content: [] },
        { role: "user", content: [] },
        { role: "user", model: "m" },
        { role: "user", model: "m", content: [], stopReason: 1 },
        answer("text"),
        answer({ type: "text" }),
        answer([{ type: "image", data: "" }]),
        answer([result("1")]),
        answer({ type: "tool_use", id: "1", name: "t", input: [] })
      ]) {
        assert.isTrue(Either.isLeft(Sampling.readResult(withTools, response)), JSON.stringify(response))
      }
    })

    it.prop("is total", [jsonValue], ([response]) => void Sampling.readResult(withTools, response))
  })

  it("joins the text of an answer", () => {
    const read = Either.getOrThrow(Sampling.readResult(withTools, answer([text("a"), use("1"), text("b")])))
    assert.strictEqual(Sampling.textOf(read), "a\nb")
  })
})
