import { assert, describe, it } from "@effect/vitest"
import * as Tool from "@pushbutton/server/Tool"
import * as ToolRegistry from "@pushbutton/server/ToolRegistry"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"

const named = (name: string) =>
  Tool.make(name, { input: Schema.Struct({}), handler: () => Effect.succeed(name) })

const names = (registry: ToolRegistry.ToolRegistry["Type"]) =>
  registry.tools().map(({ definition }) => definition.name)

describe("ToolRegistry", () => {
  it.scoped("keeps its tools in the order of registration", () =>
    Effect.gen(function* () {
      const registry = ToolRegistry.make()
      yield* registry.add([named("b"), named("c")])
      yield* registry.add([named("a")])
      assert.deepStrictEqual(names(registry), ["b", "c", "a"])
      assert.strictEqual(registry.find("b")?.definition.name, "b")
      assert.isUndefined(registry.find("toString"))
    })
  )

  it.effect("drops tools with the scope that added them, and leaves earlier lists alone", () =>
    Effect.gen(function* () {
      const registry = ToolRegistry.make()
      const scope = yield* Scope.make()
      yield* Scope.extend(registry.add([named("a")]), scope)
      const before = registry.tools()
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(names(registry), [])
      assert.strictEqual(before.length, 1)
    })
  )

  it.effect("tells its listeners of each change until they stop listening", () =>
    Effect.gen(function* () {
      const registry = ToolRegistry.make()
      const scope = yield* Scope.make()
      let changes = 0
      const stop = registry.onChange(() => {
        changes += 1
      })
      yield* Scope.extend(registry.add([named("a"), named("b")]), scope)
      assert.strictEqual(changes, 1)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(changes, 2)
      stop()
      yield* Effect.scoped(registry.add([named("c")]))
      assert.strictEqual(changes, 2)
    })
  )

  // verifies: TOOL-11, TOOL-12, TOOL-13, P-88
  it.scoped.each(["", "with blank", "a/b", "é", "x".repeat(129)])("refuses the name %j", (name) =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(ToolRegistry.make().add([named(name)]))
      assert.deepInclude({ ...failure }, { tool: name, property: "name" })
    })
  )

  // verifies: TOOL-14, P-88
  it.scoped("adds all of the tools or none", () =>
    Effect.gen(function* () {
      const registry = ToolRegistry.make()
      yield* registry.add([named("a")])
      const failure = yield* Effect.flip(registry.add([named("b"), named("a")]))
      assert.strictEqual(failure.message, 'Tool "a": name is taken by another tool')
      assert.deepStrictEqual(names(registry), ["a"])
    })
  )

  // verifies: TOOL-09, P-87
  it.scoped("refuses an input schema that is no object at the top", () =>
    Effect.gen(function* () {
      const tool = Tool.make("list", {
        input: Schema.Array(Schema.String),
        handler: () => Effect.succeed("")
      })
      const failure = yield* Effect.flip(ToolRegistry.make().add([tool]))
      assert.strictEqual(failure.property, "inputSchema/type")
    })
  )
})
