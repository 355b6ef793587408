import * as Http from "node:http"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Resource from "@pushbutton/server/Resource"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { send, stream } from "./support/client.js"
import * as Events from "./support/events.js"
import * as LegacyClient from "./support/legacyClient.js"
import { startWith } from "./support/server.js"
import { steps } from "./support/tools.js"

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

const heapAfterCollection = () => {
  for (let round = 0; round < 3; round++) collectGarbage()
  return process.memoryUsage().heapUsed
}

const server = Layer.mergeAll(
  McpServer.tools(steps),
  McpServer.resources(Resource.make("note:///a", { name: "note", handler: () => Effect.succeed("") }))
).pipe(Layer.provideMerge(McpServer.layer({ name: "tests", version: "1" })))

/** Leaves a session behind with all that one may have: a subscription, events of a reply, a stream that was dropped. */
const abandon = (url: string, agent: Http.Agent) =>
  Effect.gen(function* () {
    const client = yield* LegacyClient.open(url)
    const post = (message: object) => send({ ...client.post(message), agent })
    yield* post({ id: 1, method: "resources/subscribe", params: { uri: "note:///a" } })
    const reply = yield* post(LegacyClient.callTool(2, "steps", 2))
    assert.strictEqual(Events.parseAll(reply.body).length, 4)
    yield* Effect.scoped(Effect.flatMap(stream(client.get()), Events.next))
  })

const count = 2_000

describe("sessions that clients leave behind", () => {
  it.scoped(
    "leave nothing behind once they have expired",
    () =>
      Effect.gen(function* () {
        const { url } = yield* startWith(server, { sessionIdle: "1 minute", sessionCap: 2 * count })
        const agent = new Http.Agent({ keepAlive: true, maxSockets: 8 })
        const abandonAll = (count: number) =>
          Effect.replicateEffect(abandon(url, agent), count, { concurrency: 8, discard: true })
        // The server may not have seen the last connections drop yet.
        const expire = Effect.zipRight(
          Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void))),
          TestClock.adjust("2 minutes")
        ).pipe(Effect.repeatN(20))
        // What is made once, such as compiled code, is there before the heap is measured.
        yield* abandonAll(300)
        yield* expire
        const before = heapAfterCollection()
        yield* abandonAll(count)
        const kept = heapAfterCollection() - before
        yield* expire
        const left = heapAfterCollection() - before
        agent.destroy()
        assert.isAbove(kept, 10_000_000, "two thousand sessions can be told from none")
        assert.isBelow(left, kept / 6)
      }),
    60_000
  )
})
