/** What the official client 1.x is told by the everything fixture, and what it can stop. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Progress } from "../support/peers.js"
import * as Official from "./support/client.js"

const uri = "test://watched-resource"

type Subject = (connected: Official.Connected) => Effect.Effect<void>

const call = ({ client }: Official.Connected, name: string) => Effect.promise(() => client.callTool({ name }))

/** Runs the effect, and gives what it makes the server tell. */
const tellsOf = (
  { heard }: Official.Connected,
  method: string,
  effect: Effect.Effect<unknown>
): Effect.Effect<unknown> =>
  Effect.map(
    Effect.all([heard.next(method), Effect.zipRight(Effect.yieldNow(), effect)], { concurrency: 2 }),
    ([params]) => params
  )

const subjects: Readonly<Record<string, Subject>> = {
  "sees the progress of a call": ({ client }) =>
    Effect.gen(function* () {
      const seen: Array<Progress> = []
      yield* Effect.promise(() =>
        client.callTool({ name: "test_tool_with_progress" }, undefined, {
          onprogress: (progress) => seen.push(progress)
        })
      )
      // It drops the last one where the response is read with it.
      assert.deepStrictEqual(
        seen.slice(0, 2),
        [0, 50].map((progress) => ({ progress, total: 100, message: `Completed step ${progress} of 100` }))
      )
    }),
  "sets the level of what is logged to it": (connected) =>
    Effect.gen(function* () {
      const { client, heard } = connected
      const levels = Effect.gen(function* () {
        const before = heard.of("notifications/message").length
        yield* call(connected, "test_tool_with_logging")
        return heard
          .of("notifications/message")
          .slice(before)
          .map(({ level }) => level)
      })
      yield* Effect.promise(() => client.setLoggingLevel("error"))
      assert.deepStrictEqual(yield* levels, [])
      yield* Effect.promise(() => client.setLoggingLevel("info"))
      assert.deepStrictEqual(yield* levels, ["info", "info", "info"])
    }),
  "hears of a resource while it is subscribed": (connected) =>
    Effect.gen(function* () {
      const { client, heard } = connected
      const updated = "notifications/resources/updated"
      const trigger = call(connected, "test_trigger_resource_update")
      yield* Effect.promise(() => client.subscribeResource({ uri }))
      assert.deepStrictEqual(yield* tellsOf(connected, updated, trigger), { uri })
      yield* Effect.promise(() => client.unsubscribeResource({ uri }))
      const before = heard.of(updated).length
      yield* trigger
      // What is told later comes later.
      yield* tellsOf(
        connected,
        "notifications/prompts/list_changed",
        call(connected, "test_trigger_prompt_change")
      )
      assert.lengthOf(heard.of(updated), before)
    }),
  "hears of lists that change, and sees the change": (connected) =>
    Effect.gen(function* () {
      const described = Effect.map(
        Effect.promise(() => connected.client.listTools()),
        ({ tools }) => tools.find(({ name }) => name === "test_changing_tool")?.description
      )
      const before = yield* described
      yield* tellsOf(
        connected,
        "notifications/tools/list_changed",
        call(connected, "test_trigger_tool_change")
      )
      assert.notStrictEqual(yield* described, before)
    }),
  "cancels a call, and is served on": (connected) =>
    Effect.gen(function* () {
      const controller = new AbortController()
      const slow = connected.client.callTool(
        { name: "test_waiting", arguments: { seconds: 3600 } },
        undefined,
        {
          signal: controller.signal,
          onprogress: () => controller.abort("enough")
        }
      )
      const outcome = yield* Effect.promise(() =>
        slow.then(
          () => "answered",
          () => "cancelled"
        )
      )
      assert.strictEqual(outcome, "cancelled")
      yield* Effect.promise(() => connected.client.ping())
    })
}

layer(Official.layer, { excludeTestServices: true })("the official client 1.x", (it) => {
  for (const transport of Official.transports) {
    for (const [name, subject] of Object.entries(subjects)) {
      // verifies: LO-02, RE-02, RE-03, RE-04, TO-02, PR-03, PG-01, CA-01, TRAP-02
      it.scoped(`over ${transport} ${name}`, () =>
        Effect.flatMap(
          Effect.flatMap(Official.Clients, (clients) => clients[transport]),
          subject
        )
      )
    }
  }
})
