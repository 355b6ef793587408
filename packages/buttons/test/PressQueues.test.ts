import { assert, describe, it } from "@effect/vitest"
import * as PressQueues from "@pushbutton/buttons/PressQueues"
import * as Effect from "effect/Effect"
import * as ButtonQueue from "../src/internal/buttonQueue.js"
import { pressQueues } from "./suites/pressQueues.js"

pressQueues(
  "in memory",
  Effect.sync(() => PressQueues.layerMemory({ maxWaiting: 2, wait: "10 seconds" }))
)

describe("buttonQueue", () => {
  const decode = (queue: Parameters<typeof ButtonQueue.decode>[0]) => {
    const said: Array<readonly [string, string]> = []
    return { queue: ButtonQueue.decode(queue, (severity, field) => said.push([severity, field])), said }
  }

  it("reads a queue, which runs one press at a time unless it says more", () => {
    assert.deepStrictEqual(decode(undefined), { queue: undefined, said: [] })
    assert.deepStrictEqual(decode({ name: "q" }), { queue: { name: "q", concurrency: 1, key: "" }, said: [] })
    assert.deepStrictEqual(decode({ name: "q", concurrency: 3, key: `\${args.env}` }), {
      queue: { name: "q", concurrency: 3, key: `\${args.env}` },
      said: []
    })
  })

  it("remarks on what is of no use", () => {
    assert.deepStrictEqual(decode({ concurrency: 2 }), { queue: undefined, said: [["warning", "queue"]] })
    assert.deepStrictEqual(decode({ name: "q", concurrency: 0 }), {
      queue: { name: "q", concurrency: 1, key: "" },
      said: [["warning", "queue.concurrency"]]
    })
    assert.deepStrictEqual(decode({ name: "q", concurrency: "2" }).said, [["error", "queue.concurrency"]])
  })

  it.each([
    ["", ""],
    ["fixed", "fixed"],
    [`\${args.env}-\${inputs.region}`, `prod-\${args.env}`],
    [`\${args.none}\${args.toString}|`, "|"]
  ])("puts arguments into the key %j, once", (key, expected) => {
    const args = { env: "prod", region: `\${args.env}` }
    assert.strictEqual(ButtonQueue.queueOf({ name: "q", concurrency: 1, key }, args).key, expected)
  })
})
