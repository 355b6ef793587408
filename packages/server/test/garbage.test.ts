import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import { Dispatcher } from "@pushbutton/server/Dispatcher"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Tool from "@pushbutton/server/Tool"
import * as TestSession from "@pushbutton/server/testing/TestSession"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { modern } from "./support/conversation.js"
import { makeInFlight } from "./support/inFlight.js"

setFlagsFromString("--expose-gc")
const collect: (options?: { readonly type: "minor" }) => void = runInNewContext("gc")

const heap = () => process.memoryUsage().heapUsed

/** Bytes for each call that a collection of the young objects leaves behind. */
const leftBehind = (call: () => void, count: number): number => {
  // Once for each kind of object that outlives its first calls, such as compiled code.
  for (let warm = 0; warm < 20 * count; warm++) call()
  collect()
  collect()
  const samples = Array.from({ length: 9 }, () => {
    collect({ type: "minor" })
    collect({ type: "minor" })
    const before = heap()
    for (let done = 0; done < count; done++) call()
    collect({ type: "minor" })
    return (heap() - before) / count
  })
  return samples.sort((one, other) => one - other)[4] ?? Number.NaN
}

const input = Schema.Struct({ text: Schema.String })

const server = Layer.provideMerge(
  McpServer.tools(
    Tool.make("at-once", { input, handler: ({ text }) => Effect.succeed(text) }),
    Tool.make("in-a-fiber", { input, handler: ({ text }) => Effect.sync(() => text) })
  ),
  McpServer.layer({ name: "test", version: "1.0.0" })
)

const text = "x".repeat(2_000)

const eras = {
  "2026-07-28": { meta: modern, session: undefined },
  "2025-11-25": {
    meta: (params: object) => params,
    session: TestSession.make({ version: "2025-11-25", clientCapabilities: {} })
  }
}

const cases = Object.entries(eras).flatMap(([era, { meta, session }]) =>
  ["at-once", "in-a-fiber"].map((name) => ({
    params: meta({ name, arguments: { text } }),
    session,
    toString: () => `${era}, ${name}`
  }))
)

// What survives the collections of young objects is moved about by each, and waits for a collection of everything.
describe("What a call made", () => {
  it.scoped.each(cases)(
    "is gone with the young objects when it has been answered: %s",
    ({ params, session }) =>
      Effect.gen(function* () {
        const { decide } = yield* Dispatcher
        const inFlight = yield* makeInFlight<object>()
        const questions = { ask: () => Effect.succeed(true), takeBack: () => {} }
        const outlet = { notify: () => Effect.void, questions }
        let answered = 0
        const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
        const left = leftBehind(() => {
          const decision = decide(JsonRpc.decode(message), { header: undefined, session })
          assert.strictEqual(decision._tag, "Call")
          if (decision._tag === "Call") {
            inFlight.start({}, decision.call, outlet, (reply) => {
              if (reply?.text.includes(text) === true) answered++
            })
          }
        }, 200)
        assert.strictEqual(answered, 200 * 29)
        // One call makes more than 10,000 bytes; Effect's table of fibers leaves a small one of its own.
        assert.isBelow(left, 600)
      }).pipe(Effect.provide(server))
  )
})
