import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as ButtonCatalogue from "@pushbutton/buttons/ButtonCatalogue"
import type { DataDir } from "@pushbutton/buttons/DataDir"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import { json } from "./support/definitions.js"
import * as Temporary from "./support/temporary.js"
import * as Watches from "./support/watches.js"

const shell = (name: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  [`buttons/${name}/button.json`]: json({ name, ...fields }),
  [`buttons/${name}/main.sh`]: "echo"
})

/** What a follower is told, as lists of `slug description`, until the scope closes. */
const followed = (dataDir: DataDir) =>
  Effect.gen(function* () {
    const catalogue = yield* ButtonCatalogue.ButtonCatalogue
    const told = yield* Queue.unbounded<ReadonlyArray<string>>()
    yield* catalogue.follow(({ buttons }) =>
      Queue.offer(
        told,
        buttons.map(({ description, slug }) => `${slug} ${description}`.trim())
      )
    )
    return told
  }).pipe(Effect.provide(ButtonCatalogue.layerFileSystem(dataDir)))

/** How many listings are told until one is this; runs into the test's timeout when none is. */
const until = (told: Queue.Dequeue<ReadonlyArray<string>>, expected: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    for (let count = 1; ; count++) {
      const listing = yield* Queue.take(told)
      if (JSON.stringify(listing) === JSON.stringify(expected)) return count
    }
  })

const rename = (from: string, to: string) => Effect.promise(() => Fs.rename(from, to))

describe("ButtonCatalogue.follow", () => {
  it.scopedLive("tells what is there, and then every addition, edit and removal", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Temporary.write(dataDir.root, shell("alpha"))
      const told = yield* followed(dataDir)
      assert.deepStrictEqual(yield* Queue.poll(told).pipe(Effect.flatten), ["alpha"])
      yield* Temporary.write(dataDir.root, shell("beta"))
      yield* until(told, ["alpha", "beta"])
      yield* Temporary.write(dataDir.root, shell("beta", { description: "edited" }))
      yield* until(told, ["alpha", "beta edited"])
      yield* Temporary.remove(Path.join(dataDir.buttons, "alpha"))
      yield* until(told, ["beta edited"])
    })
  )

  it.scopedLive("sees an editor that writes a new file and renames it", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Temporary.write(dataDir.root, shell("alpha"))
      const told = yield* followed(dataDir)
      for (const description of ["one", "two", "three"]) {
        yield* Temporary.write(dataDir.buttons, { "alpha/.new": json({ name: "alpha", description }) })
        yield* rename(
          Path.join(dataDir.buttons, "alpha/.new"),
          Path.join(dataDir.buttons, "alpha/button.json")
        )
        yield* until(told, [`alpha ${description}`])
      }
    })
  )

  it.scopedLive("sees a folder that appears later, goes, and is replaced by another", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Temporary.remove(dataDir.buttons)
      const told = yield* followed(dataDir)
      yield* Temporary.write(dataDir.root, shell("alpha"))
      yield* until(told, ["alpha"])
      yield* rename(dataDir.buttons, Path.join(dataDir.root, "old"))
      yield* until(told, [])
      yield* Temporary.write(dataDir.root, shell("beta"))
      yield* until(told, ["beta"])
      yield* Temporary.write(dataDir.root, shell("beta", { description: "edited" }))
      yield* until(told, ["beta edited"])
    })
  )

  it.scopedLive("sees a folder above that is replaced", () =>
    Effect.gen(function* () {
      const { root } = yield* Temporary.dataDir
      yield* Temporary.write(root, { "a/buttons/one/button.json": json({ name: "one" }) })
      yield* Temporary.write(root, { "b/buttons/two/button.json": json({ name: "two" }) })
      const folder = Path.join(root, "current")
      yield* rename(Path.join(root, "a"), folder)
      const told = yield* followed({
        root: folder,
        buttons: Path.join(folder, "buttons"),
        source: "explicit",
        passedOver: []
      })
      yield* rename(folder, Path.join(root, "a"))
      yield* rename(Path.join(root, "b"), folder)
      yield* until(told, ["two"])
    })
  )

  it.scopedLive("tells many changes as few, and the last of them", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const told = yield* followed(dataDir)
      for (let index = 0; index < 2_000; index++)
        yield* Temporary.write(dataDir.root, shell("alpha", { description: `${index}` }))
      assert.isBelow(yield* until(told, ["alpha 1999"]), 500)
    })
  )

  it.scopedLive("tells nothing when no listed content differs", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Temporary.write(dataDir.root, shell("alpha"))
      const told = yield* followed(dataDir)
      yield* Queue.take(told)
      yield* Temporary.write(dataDir.root, {
        ...shell("alpha"),
        "buttons/alpha/main.sh": "echo edited",
        "buttons/alpha/pressed/1.json": "{}"
      })
      yield* Temporary.write(dataDir.root, shell("beta"))
      assert.deepStrictEqual(yield* Queue.take(told), ["alpha", "beta"])
    })
  )

  it.scopedLive("watches nothing without a listener, and nothing when the scope has closed", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Temporary.write(dataDir.root, { ...shell("alpha"), ...shell("beta") })
      const catalogue = yield* ButtonCatalogue.ButtonCatalogue.pipe(
        Effect.provide(ButtonCatalogue.layerFileSystem(dataDir))
      )
      yield* catalogue.list
      assert.deepStrictEqual(yield* Watches.watched(dataDir.buttons), [])
      const scope = yield* Scope.make()
      yield* Scope.extend(
        catalogue.follow(() => Effect.void),
        scope
      )
      assert.strictEqual((yield* Watches.watched(dataDir.buttons)).length, 3)
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(yield* Watches.watched(dataDir.buttons), [])
    })
  )
})
