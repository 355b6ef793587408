/** How many presses of agents run at the same time. */
import { assert, describe, it } from "@effect/vitest"
import * as PressSlots from "@pushbutton/buttons/PressSlots"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import * as Conversation from "./support/conversation.js"
import { button } from "./support/definitions.js"
import { exited, held, server } from "./support/served.js"

describe("PressSlots", () => {
  // verifies: P-109
  it.effect("refuses who finds no slot, with a time to come back, until one is free", () =>
    Effect.gen(function* () {
      const { take } = yield* PressSlots.PressSlots
      const scopes = yield* Effect.all([Scope.make(), Scope.make()])
      yield* Effect.forEach(scopes, (scope) => Scope.extend(take("build"), scope))
      const refused = yield* Effect.flip(Effect.scoped(take("other")))
      assert.deepInclude(refused, { _tag: "PressSlotsTaken", slug: "other", max: 2, retryAfterMillis: 1_000 })
      yield* Scope.close(scopes[0], Exit.void)
      yield* Effect.scoped(take("other"))
      yield* Scope.extend(take("other"), yield* Scope.make())
      yield* Effect.flip(Effect.scoped(take("build")))
    }).pipe(Effect.provide(PressSlots.layerMemory({ max: 2 })))
  )

  it.effect("are waited for by who has waited in a queue, first come, first served, within a bound", () =>
    Effect.gen(function* () {
      const { take } = yield* PressSlots.PressSlots
      const [first, second] = [yield* Scope.make(), yield* Scope.make()]
      yield* Scope.extend(take("build"), first)
      const waiting = yield* Effect.fork(Scope.extend(take("other", true), second))
      yield* TestClock.adjust("59 seconds")
      const late = yield* Effect.fork(Effect.flip(Effect.scoped(take("third", true))))
      yield* Effect.flip(Effect.scoped(take("fourth")))
      yield* Scope.close(first, Exit.void)
      yield* Fiber.join(waiting)
      yield* TestClock.adjust("1 minute")
      assert.deepInclude({ ...(yield* Fiber.join(late)) }, { _tag: "PressSlotsTaken", slug: "third" })
      yield* Scope.close(second, Exit.void)
      yield* Effect.scoped(take("fourth"))
    }).pipe(Effect.provide(PressSlots.layerMemory({ max: 1, wait: "1 minute" })))
  )

  it.effect("are taken by presses of all buttons together, and given back when they end", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 33 }, (_, index) => `b${index}`)
      const program = yield* held
      yield* Effect.gen(function* () {
        const client = yield* Conversation.client
        const press = (name: string) =>
          client.start("tools/call", { name: "buttons_press", arguments: { name } })
        const first = yield* Effect.forEach(names.slice(0, 32), press)
        yield* program.started
        const refused = Conversation.said(yield* (yield* press("b32")).reply)
        assert.deepStrictEqual(refused, {
          error: true,
          code: "BUSY",
          message:
            'Button "b32" was not started: 32 presses run already, as many as this server runs at a time; try again in 1 s',
          retry_after_ms: 1_000,
          button: "b32"
        })
        yield* program.end(exited("done"))
        yield* Effect.forEach(first, ({ reply }) => reply)
        assert.strictEqual(Conversation.said(yield* (yield* press("b32")).reply).stdout, "done")
      }).pipe(
        Effect.scoped,
        Effect.provide(
          server(
            names.map((name) => button(name, { mcp_enabled: true })),
            program.run
          )
        )
      )
    })
  )
})
