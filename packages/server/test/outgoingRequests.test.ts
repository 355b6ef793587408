import { assert, describe, it } from "@effect/vitest"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import { OutgoingRequests } from "../src/internal/outgoingRequests.js"

/** A peer that keeps what it was sent. */
const makePeer = () => {
  const requests = new OutgoingRequests()
  const sent: Array<{ id: JsonRpc.RequestId; method: string; params?: unknown }> = []
  const way = {
    ask: (request: () => string) => Effect.sync(() => sent.push(JSON.parse(request())) > 0),
    takeBack: (text: string) => void sent.push(JSON.parse(text))
  }
  const respond = (message: object) => {
    const response = JsonRpc.classify(JSON.parse(JSON.stringify({ jsonrpc: "2.0", ...message })))
    return response._tag === "Response" ? requests.settle(response) : assert.fail("no response")
  }
  return { requests, sent, way, respond }
}

const settled = Effect.repeatN(Effect.yieldNow(), 5)

describe("OutgoingRequests", () => {
  it.effect("asks under an id of its own, and gives what is answered to it", () =>
    Effect.gen(function* () {
      const { requests, respond, sent, way } = makePeer()
      const one = yield* Effect.fork(requests.ask("roots/list", undefined, way))
      const other = yield* Effect.fork(requests.ask("sampling/createMessage", { maxTokens: 1 }, way))
      yield* settled
      assert.deepStrictEqual(
        sent.map(({ method, params }) => [method, params]),
        [
          ["roots/list", undefined],
          ["sampling/createMessage", { maxTokens: 1 }]
        ]
      )
      assert.isTrue(respond({ id: sent[1]?.id, error: { code: -1, message: "no" } }))
      assert.isTrue(respond({ id: sent[0]?.id, result: { roots: [] } }))
      assert.deepStrictEqual(yield* Fiber.join(one), { _tag: "Result", result: { roots: [] } })
      assert.deepStrictEqual(yield* Fiber.join(other), { _tag: "Error", code: -1, message: "no" })
      assert.strictEqual(requests.size, 0)
    })
  )

  // verifies: LC-27, TRAP-33
  it.effect("takes one answer, under the id as it was sent", () =>
    Effect.gen(function* () {
      const { requests, respond, sent, way } = makePeer()
      const asking = yield* Effect.fork(requests.ask("ping", undefined, way))
      yield* settled
      const id = sent[0]?.id
      for (const other of [String(id), Number(id) + 1, null, undefined]) {
        assert.isFalse(respond({ id: other, result: {} }))
      }
      assert.isTrue(respond({ id, result: {} }))
      assert.isFalse(respond({ id, result: { late: true } }))
      assert.deepStrictEqual(yield* Fiber.join(asking), { _tag: "Result", result: {} })
    })
  )

  it.effect.each([{ result: 1 }, { error: "no" }, { error: { code: 1.5, message: "no" } }, { result: null }])(
    "counts %j as an error",
    (body) =>
      Effect.gen(function* () {
        const { requests, respond, sent, way } = makePeer()
        const asking = yield* Effect.fork(requests.ask("ping", undefined, way))
        yield* settled
        assert.isTrue(respond({ id: sent[0]?.id, ...body }))
        assert.strictEqual((yield* Fiber.join(asking))._tag, "Error")
      })
  )

  it.effect("hears an answer that comes while the request is still being sent", () =>
    Effect.gen(function* () {
      const { requests, respond, way } = makePeer()
      const ask = (request: () => string) =>
        Effect.zipRight(
          Effect.sync(() => respond({ id: JSON.parse(request()).id, result: {} })),
          Effect.never
        )
      assert.deepStrictEqual(yield* requests.ask("ping", undefined, { ...way, ask }), {
        _tag: "Result",
        result: {}
      })
    })
  )

  // verifies: CA-02
  it.effect("takes a request back when nobody waits any more, and ignores the answer", () =>
    Effect.gen(function* () {
      const { requests, respond, sent, way } = makePeer()
      const asking = yield* Effect.fork(requests.ask("ping", undefined, way))
      yield* settled
      yield* Fiber.interrupt(asking)
      const [asked, cancelled] = sent
      assert.strictEqual(cancelled?.method, "notifications/cancelled")
      assert.deepInclude(cancelled?.params, { requestId: asked?.id })
      assert.isFalse(respond({ id: asked?.id, result: {} }))
      assert.deepStrictEqual([requests.size, sent.length], [0, 2])
    })
  )

  // verifies: TRAP-25, IN-18
  it.effect("says so at once when there is no way to the peer", () =>
    Effect.gen(function* () {
      const { requests, sent, way } = makePeer()
      const nowhere = { ...way, ask: () => Effect.succeed(false) }
      assert.deepStrictEqual(yield* requests.ask("ping", undefined, nowhere), { _tag: "Unsent" })
      assert.deepStrictEqual([requests.size, sent], [0, []])
    })
  )

  it.effect("takes back what the peer was asked, and nothing that it was not", () =>
    Effect.gen(function* () {
      const { requests, sent, way } = makePeer()
      const asking = yield* Effect.fork(requests.ask("ping", undefined, way))
      const stalled = yield* Effect.fork(requests.ask("ping", undefined, { ...way, ask: () => Effect.never }))
      yield* settled
      yield* Fiber.interrupt(stalled)
      requests.close()
      assert.deepStrictEqual(yield* Fiber.join(asking), { _tag: "Gone" })
      const [asked, cancelled] = sent
      assert.deepInclude(cancelled, { method: "notifications/cancelled" })
      assert.deepInclude(cancelled?.params, { requestId: asked?.id })
      assert.strictEqual(sent.length, 2)
    })
  )

  it.effect("forgets a request that could not be sent", () =>
    Effect.gen(function* () {
      const { requests, way } = makePeer()
      const exit = yield* Effect.exit(
        requests.ask("ping", undefined, { ...way, ask: () => Effect.die("broken") })
      )
      assert.isTrue(Exit.isFailure(exit))
      assert.strictEqual(requests.size, 0)
    })
  )

  it.effect("is over for whoever waits and whoever asks later, even while the peer takes nothing", () =>
    Effect.gen(function* () {
      const { requests, sent, way } = makePeer()
      const stalled = { ...way, ask: () => Effect.never }
      const asking = yield* Effect.fork(requests.ask("ping", undefined, stalled))
      yield* settled
      requests.close()
      assert.deepStrictEqual(yield* Fiber.join(asking), { _tag: "Gone" })
      assert.deepStrictEqual(yield* requests.ask("ping", undefined, way), { _tag: "Gone" })
      assert.deepStrictEqual(sent, [])
    })
  )

  const step = FastCheck.constantFrom("ask", "answer", "cancel", "answer again")

  it.effect("settles each request once, with its own answer, and keeps none", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(FastCheck.array(step, { maxLength: 30 }), (steps) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const { requests, respond, sent, way } = makePeer()
              const waiting: Array<{ id: JsonRpc.RequestId; fiber: Fiber.RuntimeFiber<unknown> }> = []
              const over: Array<JsonRpc.RequestId> = []
              for (const what of steps) {
                if (what === "ask") {
                  const fiber = yield* Effect.fork(requests.ask("ping", undefined, way))
                  yield* settled
                  const id = sent.at(-1)?.id ?? assert.fail("nothing was sent")
                  assert.notInclude(over, id)
                  waiting.push({ id, fiber })
                } else if (what === "answer again") {
                  for (const id of over) assert.isFalse(respond({ id, result: {} }))
                } else {
                  const first = waiting.shift()
                  if (first === undefined) continue
                  over.push(first.id)
                  if (what === "cancel") yield* Fiber.interrupt(first.fiber)
                  else {
                    assert.isTrue(respond({ id: first.id, result: { of: first.id } }))
                    assert.deepStrictEqual(yield* Fiber.join(first.fiber), {
                      _tag: "Result",
                      result: { of: first.id }
                    })
                  }
                }
                assert.strictEqual(requests.size, waiting.length)
              }
              yield* Fiber.interruptAll(waiting.map(({ fiber }) => fiber))
            })
          )
        ),
        { numRuns: 100 }
      )
    )
  )
})
