/** What a server offers of a definitions file, while the file is edited. */
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Buttons from "@pushbutton/buttons/Buttons"
import type { Definitions } from "@pushbutton/buttons/definitions/Definitions"
import * as DefinitionsServer from "@pushbutton/buttons/definitions/DefinitionsServer"
import * as PromptRegistry from "@pushbutton/server/PromptRegistry"
import * as Resource from "@pushbutton/server/Resource"
import * as ResourceRegistry from "@pushbutton/server/ResourceRegistry"
import * as Subscriptions from "@pushbutton/server/Subscriptions"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as Temporary from "../support/temporary.js"
import * as Watches from "../support/watches.js"

const place = Effect.gen(function* () {
  const dataDir = yield* Temporary.dataDir
  const folder = Path.join(dataDir.root, "project")
  const write = (text: string) => Temporary.write(folder, { "pushbutton.yaml": text })
  yield* write("")
  return { dataDir, folder, write, file: Path.join(folder, "pushbutton.yaml") }
})

type Place = Effect.Effect.Success<typeof place>

const files = ({ dataDir, file }: Place) => Buttons.layer(dataDir, { definitions: file })

/** A server whose registries and notifications the test looks at. */
const served = (definitions: Layer.Layer<Definitions>) =>
  Effect.gen(function* () {
    const updated = yield* Queue.unbounded<string>()
    const changed = yield* Queue.unbounded<string>()
    const logged = yield* Queue.unbounded<string>()
    const registries = yield* Layer.build(Layer.merge(ResourceRegistry.layer, PromptRegistry.layer))
    const { prompts, resources } = yield* Effect.provide(
      Effect.all({ prompts: PromptRegistry.PromptRegistry, resources: ResourceRegistry.ResourceRegistry }),
      registries
    )
    const listed = () =>
      [
        ...resources.resources().map(({ definition }) => definition.uri),
        ...resources.templates().map(({ definition }) => definition.uriTemplate),
        ...prompts.prompts().map(({ definition }) => definition.name)
      ].join()
    resources.onChange(() => Queue.unsafeOffer(changed, listed()))
    prompts.onChange(() => Queue.unsafeOffer(changed, listed()))
    yield* DefinitionsServer.offer.pipe(
      Effect.provide(registries),
      Effect.provideService(Subscriptions.Subscriptions, {
        ...(yield* Subscriptions.make()),
        resourceUpdated: (uri) => Effect.asVoid(Queue.offer(updated, uri))
      }),
      Effect.provide(definitions),
      Effect.provide(
        Logger.replace(
          Logger.defaultLogger,
          Logger.make(({ message }) => Queue.unsafeOffer(logged, String(message)))
        )
      )
    )
    return {
      prompts,
      resources,
      listed,
      updated,
      until: (expected: string) =>
        Effect.repeat(Queue.take(changed), { until: (content) => content === expected }),
      logged
    }
  })

describe("DefinitionsServer", () => {
  it.scopedLive("offers what the file has, and what it has after every edit", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.write("resources: { r: { uri: 'x:r', text: one } }\n")
      const { listed, until, updated } = yield* served(files(here))
      assert.strictEqual(listed(), "x:r")
      yield* here.write(`
resources: { r: { uri: 'x:r', text: one }, s: { uri: 'x:s', text: two } }
resource_templates: { t: { uri_template: 'x:t/{id}', text: t } }
prompts: { p: { text: p } }
`)
      yield* until("x:r,x:s,x:t/{id},p")
      assert.deepStrictEqual(yield* Queue.takeAll(updated).pipe(Effect.map((all) => [...all])), [])
      yield* here.write("resources: { r: { uri: 'x:r', text: other } }\n")
      yield* until("x:r")
      assert.strictEqual(yield* Queue.take(updated), "x:r")
      yield* here.write("# nothing\n")
      yield* until("")
    })
  )

  it.scopedLive("keeps what it has, and logs why, while the file has an error", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.write("prompts: { p: { text: p } }\n")
      const { listed, logged, until } = yield* served(files(here))
      yield* here.write("prompts: { q: { text: [q] } }\n")
      assert.strictEqual(
        yield* Queue.take(logged),
        "pushbutton.yaml:1:23: prompts.q.text: must be a string; numbers, true and false need quotes"
      )
      assert.strictEqual(listed(), "p")
      yield* here.write("prompts: { q: { text: q } }\n")
      yield* until("q")
    })
  )

  it.scopedLive("announces both lists from the start, so that the file may fill them later", () =>
    Effect.gen(function* () {
      const { prompts, resources } = yield* served(files(yield* place))
      assert.deepStrictEqual([resources.isOffered(), prompts.isOffered()], [true, true])
      assert.deepStrictEqual([resources.resources(), prompts.prompts()], [[], []])
    })
  )

  it.scopedLive("announces nothing without a file", () =>
    Effect.gen(function* () {
      const { dataDir } = yield* place
      const { prompts, resources } = yield* served(Buttons.layer(dataDir))
      assert.deepStrictEqual([resources.isOffered(), prompts.isOffered()], [false, false])
    })
  )

  it.scopedLive("leaves alone what somebody else offers at the same URI", () =>
    Effect.gen(function* () {
      const here = yield* place
      const { logged, resources, until } = yield* served(files(here))
      yield* resources.add([Resource.make("x:r", { name: "first", handler: () => Effect.succeed("first") })])
      yield* here.write("resources: { r: { uri: 'x:r', text: second } }\n")
      assert.include(yield* Queue.take(logged), "is taken by another resource")
      assert.deepStrictEqual(
        resources.resources().map(({ definition }) => definition.name),
        ["first"]
      )
      yield* here.write("resources: { r: { uri: 'x:s', text: second } }\n")
      yield* until("x:r,x:s")
    })
  )

  it.scopedLive("watches nothing and offers nothing when its scope has closed", () =>
    Effect.gen(function* () {
      const here = yield* place
      yield* here.write("prompts: { p: { text: p } }\n")
      const scope = yield* Scope.make()
      const { listed } = yield* Scope.extend(served(files(here)), scope)
      assert.deepStrictEqual(yield* Watches.watched(here.folder), [here.folder])
      assert.strictEqual(listed(), "p")
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(yield* Watches.watched(here.folder), [])
      assert.strictEqual(listed(), "")
    })
  )
})
