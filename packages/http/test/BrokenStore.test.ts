import { assert, describe, it } from "@effect/vitest"
import * as McpServer from "@pushbutton/server/McpServer"
import { ToolRegistry } from "@pushbutton/server/ToolRegistry"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as EventStore from "../src/EventStore.js"
import { send, stream } from "./support/client.js"
import * as Events from "./support/events.js"
import * as LegacyClient from "./support/legacyClient.js"
import { startWith } from "./support/server.js"
import { toolOf } from "./support/subscriptions.js"
import { echo, steps } from "./support/tools.js"

const broken = (): never => {
  throw new Error("the disk is full")
}

const serve = Effect.gen(function* () {
  const server = yield* Layer.build(
    McpServer.tools(echo, steps).pipe(
      Layer.provideMerge(
        McpServer.layer({ name: "tests", version: "1", subscriptions: { window: "1 millis" } })
      )
    )
  )
  const store = Layer.succeed(EventStore.EventStore, { append: broken, after: broken, forget: broken })
  const { url } = yield* startWith(Layer.succeedContext(server), {}, store)
  return { url, registry: Context.get(server, ToolRegistry) }
})

describe("an EventStore that throws", () => {
  it.scopedLive("keeps nobody from being told and answered", () =>
    Effect.gen(function* () {
      const { registry, url } = yield* serve
      const client = yield* LegacyClient.open(url)
      const told = yield* stream(client.get())
      yield* Events.next(told)
      yield* registry.add([toolOf("more")])
      assert.strictEqual((yield* Events.next(told)).message.method, "notifications/tools/list_changed")
      const events = Events.parseAll((yield* send(client.post(LegacyClient.callTool(1, "steps", 1)))).body)
      assert.deepStrictEqual(
        events.map(({ message }) => message?.params?.progress ?? message?.id),
        [undefined, 1, 2, 1]
      )
      assert.strictEqual((yield* send(client.get(events[1]?.id))).status, 400)
      assert.strictEqual((yield* send(client.remove)).status, 204)
      assert.strictEqual(yield* told.rest, "")
    })
  )
})
