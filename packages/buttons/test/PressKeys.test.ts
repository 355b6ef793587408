import * as Fs from "node:fs"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { DataDir } from "@pushbutton/buttons/DataDir"
import * as PressKeys from "@pushbutton/buttons/PressKeys"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as TestClock from "effect/TestClock"
import { joined, keyed, notAgain, once, pressKeys, result, running } from "./suites/pressKeys.js"
import * as Temporary from "./support/temporary.js"

const options: PressKeys.Options = { ttl: "1 hour", maxKeys: 20, wait: "1 minute" }

pressKeys(
  "in memory",
  Effect.sync(() => PressKeys.layerMemory(options))
)
pressKeys(
  "on disk",
  Effect.map(Temporary.dataDir, (dataDir) => PressKeys.layerFileSystem(dataDir, options))
)

/** Open for as long as the test runs, as a server has it. */
const server = (dataDir: DataDir) =>
  Effect.map(Layer.build(PressKeys.layerFileSystem(dataDir, options)), (context) =>
    Effect.provideService(PressKeys.PressKeys, Context.get(context, PressKeys.PressKeys))
  )

const folderOf = ({ root }: DataDir) => Path.join(root, "idempotency")

/** Besides what the names and bindings of all are made with. */
const files = (dataDir: DataDir) => Fs.readdirSync(folderOf(dataDir)).filter((name) => name !== "secret.json")

const onlyFile = (dataDir: DataDir) => {
  const [name = "", ...others] = files(dataDir)
  assert.deepStrictEqual(others, [])
  return Path.join(folderOf(dataDir), name)
}

const count = (starts: { count: number }) => Effect.sync(() => void starts.count++)

const readJson = (path: string) => JSON.parse(Fs.readFileSync(path, "utf8"))

describe("PressKeys.layerFileSystem", () => {
  it.scoped("writes the file that other programs of the format look for, for the owner only", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 3, 18))
      const dataDir = yield* Temporary.dataDir
      yield* Effect.provide(once(keyed({ key: "abc" })), PressKeys.layerFileSystem(dataDir))
      const path = onlyFile(dataDir)
      assert.strictEqual(
        Path.basename(path),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad.json"
      )
      const { result: stored, ...entry } = readJson(path)
      assert.deepInclude(entry, {
        key: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        stored_at: "2026-04-18T00:00:00.000Z",
        expires_at: "2026-04-19T00:00:00.000Z"
      })
      assert.deepInclude(stored, {
        status: "ok",
        exit_code: 0,
        stdout: "é\n\0",
        button: "deploy",
        duration_ms: 5
      })
      assert.deepStrictEqual(
        [folderOf(dataDir), path, Path.join(folderOf(dataDir), "secret.json")].map((found) =>
          (Fs.statSync(found).mode & 0o777).toString(8)
        ),
        ["700", "600", "600"]
      )
    })
  )

  it.scoped("puts nothing that looks like a button into a folder of buttons", () =>
    Effect.gen(function* () {
      const root = yield* Temporary.folder
      const dataDir: DataDir = { root, buttons: root, source: "explicit", passedOver: [] }
      yield* Effect.provide(once(keyed()), PressKeys.layerFileSystem(dataDir))
      assert.deepStrictEqual(Fs.readdirSync(root), [".pushbutton"])
    })
  )

  it.scoped("answers what another server of the folder has run, and waits for what it runs", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const [one, other] = [yield* server(dataDir), yield* server(dataDir)]
      const first = yield* one(running(keyed()))
      const second = yield* Effect.fork(other(notAgain(keyed())))
      yield* first.end
      assert.deepStrictEqual(yield* Fiber.join(first.fiber), result())
      assert.deepStrictEqual(yield* joined(second), { ...result(), replayed: true })
    })
  )

  it.scoped("starts a key anew once when its time is over, whoever comes at once", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const servers = [yield* server(dataDir), yield* server(dataDir), yield* server(dataDir)]
      const starts = { count: 0 }
      const press = Effect.flatMap(PressKeys.PressKeys, (keys) =>
        keys.once(keyed(), (started) => Effect.as(Effect.zipRight(started, count(starts)), result()))
      )
      for (let round = 1; round <= 20; round++) {
        const fiber = yield* Effect.fork(
          Effect.all(
            servers.map((of) => of(press)),
            { concurrency: "unbounded" }
          )
        )
        yield* joined(fiber)
        assert.strictEqual(starts.count, round)
        yield* TestClock.adjust("1 hour")
      }
      assert.strictEqual(files(dataDir).length, 1)
    })
  )

  it.scoped("lets no key expire whose press still runs", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const [one, other] = [yield* server(dataDir), yield* server(dataDir)]
      const first = yield* one(running(keyed()))
      yield* TestClock.adjust("2 hours")
      const asked = yield* Effect.forEach([one, other], (of) =>
        Effect.fork(of(Effect.flip(notAgain(keyed()))))
      )
      for (const error of yield* joined(Fiber.all(asked))) assert.strictEqual(error._tag, "PressKeyBusy")
      yield* first.end
      yield* Fiber.join(first.fiber)
      assert.deepStrictEqual(yield* other(once(keyed())), result())
    })
  )

  it.scoped("prunes no press that still runs", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const [one, other] = [yield* server(dataDir), yield* server(dataDir)]
      const first = yield* one(running(keyed()))
      const path = onlyFile(dataDir)
      Fs.utimesSync(path, 0, 0)
      yield* TestClock.adjust("2 hours")
      for (const of of [one, other]) {
        for (let index = 0; index < 60; index++) yield* of(once(keyed({ key: `${index}` })))
      }
      assert.isTrue(Fs.existsSync(path))
      yield* first.end
      assert.deepStrictEqual(yield* Fiber.join(first.fiber), result())
    })
  )

  it.scoped("tells nobody the key, and lets nobody guess the arguments", () =>
    Effect.gen(function* () {
      const bindings: Array<string> = []
      for (let folder = 0; folder < 2; folder++) {
        const dataDir = yield* Temporary.dataDir
        yield* Effect.provide(once(keyed({ key: "my-own-key" })), PressKeys.layerFileSystem(dataDir))
        assert.notInclude(Fs.readFileSync(onlyFile(dataDir), "utf8"), "my-own-key")
        bindings.push(readJson(onlyFile(dataDir)).binding)
      }
      assert.notStrictEqual(bindings[0], bindings[1])
    })
  )

  it.scoped("lets nobody without a name take the key of somebody who has one", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const keys = yield* server(dataDir)
      yield* keys(once(keyed({ principal: "ada" })))
      const other = keyed({ key: JSON.stringify(["ada", "k"]) })
      assert.isUndefined((yield* keys(once(other, result({ runId: "other" })))).replayed)
      assert.strictEqual(files(dataDir).length, 2)
    })
  )

  it.scoped("starts nothing under a key whose file cannot be understood", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Effect.provide(once(keyed()), PressKeys.layerFileSystem(dataDir, options))
      Fs.writeFileSync(onlyFile(dataDir), "{")
      const keys = yield* server(dataDir)
      assert.strictEqual((yield* Effect.flip(keys(notAgain(keyed()))))._tag, "PressKeyConflict")
    })
  )

  it.scoped("does not start again what a server ran that died", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const dying = yield* server(dataDir)
      yield* dying(running(keyed()))
      const path = onlyFile(dataDir)
      const entry = readJson(path)
      const [, , id, place] = entry.owner.split(" ")
      Fs.writeFileSync(path, JSON.stringify({ ...entry, owner: ["999999999", "1", id, place].join(" ") }))
      const next = yield* server(dataDir)
      const error = yield* Effect.flip(next(notAgain(keyed())))
      assert.strictEqual(error._tag, "PressOutcomeUnknown")
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* next(once(keyed())), result())
    })
  )

  it.scoped("takes no result from another program, which binds keys to nothing", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Effect.provide(once(keyed()), PressKeys.layerFileSystem(dataDir, options))
      const path = onlyFile(dataDir)
      const { binding: _, ...foreign } = readJson(path)
      Fs.writeFileSync(path, JSON.stringify(foreign))
      const keys = yield* server(dataDir)
      assert.strictEqual((yield* Effect.flip(keys(notAgain(keyed()))))._tag, "PressKeyConflict")
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* keys(once(keyed())), result())
    })
  )

  it.scoped("starts nothing when keys cannot be kept", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      yield* Temporary.write(dataDir.root, { idempotency: "a file" })
      const keys = yield* server(dataDir)
      const error = yield* Effect.flip(keys(notAgain(keyed())))
      assert.deepInclude({ ...error }, { _tag: "PressKeysFailed", detail: "ENOTDIR" })
    })
  )

  it.scoped("remembers a result that it cannot write", () =>
    Effect.gen(function* () {
      const dataDir = yield* Temporary.dataDir
      const keys = yield* server(dataDir)
      const first = yield* Effect.flatMap(PressKeys.PressKeys, (service) =>
        service.once(keyed(), (started) =>
          Effect.zipRight(
            started,
            Effect.sync(() => {
              Fs.rmSync(folderOf(dataDir), { recursive: true })
              Fs.writeFileSync(folderOf(dataDir), "")
              return result()
            })
          )
        )
      ).pipe(keys, Logger.withMinimumLogLevel(LogLevel.None))
      assert.deepStrictEqual(first, result())
      assert.deepStrictEqual(yield* keys(notAgain(keyed())), { ...result(), replayed: true })
    })
  )
})
