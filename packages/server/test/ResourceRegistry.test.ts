import { assert, describe, it } from "@effect/vitest"
import * as Resource from "@pushbutton/server/Resource"
import * as ResourceRegistry from "@pushbutton/server/ResourceRegistry"
import * as Effect from "effect/Effect"

const handler = () => Effect.succeed("")

const at = (uri: string, options: Partial<Resource.Options<never, never>> = {}) =>
  Resource.make(uri, { name: "x", handler, ...options })

const like = (template: string, options: Omit<Partial<Resource.Options<never, never>>, "handler"> = {}) =>
  Resource.template(template, { name: "x", handler, ...options })

const checkRefused = (
  items: ReadonlyArray<Resource.Resource<never> | Resource.ResourceTemplate<never>>,
  message: string
) =>
  Effect.gen(function* () {
    const registry = ResourceRegistry.make()
    const failure = yield* Effect.flip(registry.add(items))
    assert.strictEqual(failure.message, message)
    assert.deepStrictEqual([registry.resources().length, registry.templates().length], [0, 0])
  })

describe("ResourceRegistry", () => {
  it.scoped("keeps resources and templates apart, in the order of registration", () =>
    Effect.gen(function* () {
      const registry = ResourceRegistry.make()
      yield* registry.add([at("x://b"), like("x://{b}/c"), at("x://a")])
      yield* registry.add([like("x://{a}/d")])
      assert.deepStrictEqual(
        registry.resources().map(({ definition }) => definition.uri),
        ["x://b", "x://a"]
      )
      assert.deepStrictEqual(
        registry.templates().map(({ definition }) => definition.uriTemplate),
        ["x://{b}/c", "x://{a}/d"]
      )
      assert.strictEqual(registry.resources(), registry.resources())
      assert.strictEqual(registry.templates(), registry.templates())
    })
  )

  it.effect("tells its listeners of templates too, and lets both go with their scope", () =>
    Effect.gen(function* () {
      const registry = ResourceRegistry.make()
      let changes = 0
      registry.onChange(() => {
        changes += 1
      })
      yield* Effect.scoped(registry.add([like("x://{a}")]))
      assert.strictEqual(changes, 2)
      assert.isUndefined(registry.find("x://1", "x://1"))
    })
  )

  it.scoped("takes the first of several templates that match", () =>
    Effect.gen(function* () {
      const registry = ResourceRegistry.make()
      yield* registry.add([like("x://{a}/b", { ttlMs: 1 }), like("x://{+a}", { ttlMs: 2 })])
      assert.strictEqual(registry.find("x://1/b", "x://1/b")?.hints.ttlMs, 1)
      assert.strictEqual(registry.find("x://1/c", "x://1/c")?.hints.ttlMs, 2)
    })
  )

  // verifies: RES-22, CACHE-02
  it.scoped("refuses what it cannot serve and says which property is wrong", () =>
    Effect.gen(function* () {
      yield* checkRefused([at("no uri")], 'Resource "no uri": uri has to be an absolute URI')
      yield* checkRefused([at("x://a"), at("X://%61")], 'Resource "x://a": uri is taken by another resource')
      yield* checkRefused(
        [like("x://{a}"), like("x://{a}")],
        'Resource "x://{a}": uriTemplate is taken by another resource'
      )
      yield* checkRefused(
        [at("x://a"), like("x://{a")],
        'Resource "x://{a": uriTemplate has a brace that is not closed'
      )
      yield* checkRefused([at("x://a", { name: "" })], 'Resource "x://a": name must not be empty')
      yield* checkRefused(
        [at("x://a", { size: -1 })],
        'Resource "x://a": size has to be a whole number that is not negative'
      )
      yield* checkRefused(
        [at("x://a", { ttlMs: 0.5 })],
        'Resource "x://a": ttlMs has to be a whole number that is not negative'
      )
      yield* checkRefused(
        [at("x://a", { mimeType: "text" })],
        'Resource "x://a": mimeType has to be a type and a subtype'
      )
      yield* checkRefused(
        [at("x://a", { annotations: { priority: 1.1 } })],
        'Resource "x://a": annotations.priority has to be from 0 to 1'
      )
      yield* checkRefused(
        [like("x://{a}", { annotations: { lastModified: "2025-01-12" } })],
        'Resource "x://{a}": annotations.lastModified has to be a date and a time with a zone (ISO 8601)'
      )
      yield* checkRefused(
        [at("x://a", { icons: [{ src: "https://example.com/i.png" }, { src: "javascript:alert(1)" }] })],
        'Resource "x://a": icons have to be https: or data: URIs'
      )
      const stray: object = { b: () => Effect.succeed([]) }
      yield* checkRefused(
        [Resource.template("x://{a}", { name: "x", handler, complete: stray })],
        'Resource "x://{a}": complete.b is not the name of an argument'
      )
    })
  )

  it.scoped("takes what is unusual but legal", () =>
    ResourceRegistry.make().add([
      at("x:", { mimeType: "text/plain; charset=utf-8", size: 0, ttlMs: 0, annotations: { priority: 0 } }),
      at("x://é/menu"),
      like("x://é/{id}")
    ])
  )
})
