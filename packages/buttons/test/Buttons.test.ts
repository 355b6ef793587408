/** One layer for embedders, in a process whose working directory has been removed. */
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ButtonCatalogue } from "@pushbutton/buttons/ButtonCatalogue"
import * as Buttons from "@pushbutton/buttons/Buttons"
import * as DataDir from "@pushbutton/buttons/DataDir"
import { Press } from "@pushbutton/buttons/Press"
import { PressHistory } from "@pushbutton/buttons/PressHistory"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as JournalEntry from "../src/internal/journalEntry.js"
import * as Opening from "../src/internal/opening.js"
import { json } from "./support/definitions.js"
import * as Temporary from "./support/temporary.js"

const folder = Effect.gen(function* () {
  const { root } = yield* Temporary.dataDir
  yield* Temporary.write(root, {
    "buttons/where/button.json": json({ name: "where" }),
    "buttons/where/main.sh": "/bin/pwd"
  })
  return root
})

const pressWhere = Effect.flatMap(Press, ({ press }) => press({ name: "where", args: {}, caller: "cli" }))

/** Makes a folder the working directory of this process, and removes it. */
const lostWorkingDirectory = Effect.acquireRelease(
  Effect.sync(() => {
    const before = process.cwd()
    const gone = Fs.mkdtempSync(Path.join(Os.tmpdir(), "pushbutton-"))
    process.chdir(gone)
    Fs.rmdirSync(gone)
    return before
  }),
  (before) => Effect.sync(() => process.chdir(before))
)

describe("Buttons.layer", () => {
  it.scopedLive("lists, presses where it is told to, and records", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const dataDir = yield* DataDir.resolve(root)
      yield* Effect.gen(function* () {
        const { buttons } = yield* (yield* ButtonCatalogue).list
        assert.deepStrictEqual(
          buttons.map(({ slug }) => slug),
          ["where"]
        )
        const { runId, stdout } = yield* pressWhere
        assert.strictEqual(stdout, `${root}\n`)
        const runs = yield* (yield* PressHistory).recent("where", 5)
        assert.deepStrictEqual(
          runs.map(({ run_id }) => run_id),
          [runId]
        )
      }).pipe(Effect.provide(Buttons.layer(dataDir, { workingDirectory: root })))
    })
  )

  it.scopedLive("works without a working directory but for the presses that would run there", () =>
    Effect.gen(function* () {
      const root = yield* folder
      yield* lostWorkingDirectory
      const dataDir = yield* DataDir.resolve(root)
      assert.strictEqual(dataDir.root, root)
      const relative = yield* Effect.flip(DataDir.resolve("x"))
      assert.strictEqual(relative.message, "x cannot be found: the working directory does not exist")
      const result = yield* Effect.provide(pressWhere, Buttons.layer(dataDir))
      assert.deepInclude(result, {
        status: "error",
        reason: "not-started",
        stderr: "Not started: the working directory does not exist (ENOENT)",
        recorded: true
      })
      const elsewhere = yield* Effect.provide(pressWhere, Buttons.layer(dataDir, { workingDirectory: root }))
      assert.strictEqual(elsewhere.stdout, `${root}\n`)
    })
  )
})

describe("Buttons.layerAtRest", () => {
  it.scopedLive("lists, and leaves alone what a server that died has left", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const dataDir = yield* DataDir.resolve(root)
      const [, , id = "", place = ""] = Opening.enter().split(" ")
      const run = {
        button: "where",
        runId: "0123456789abcdef",
        startedAtMillis: 1_000,
        caller: "mcp" as const,
        args: {}
      }
      yield* Temporary.write(root, {
        ".pushbutton/running/note.jsonl": JournalEntry.entries({
          owner: ["999999999", "1", id, place].join(" "),
          running: [{ run }]
        })
      })
      const recorded = Effect.map(
        Effect.flatMap(PressHistory, (history) => history.recent("where", 5)),
        (runs) => runs.map(({ reason }) => reason)
      )
      const listed = Effect.map(
        Effect.flatMap(ButtonCatalogue, ({ list }) => list),
        ({ buttons }) => buttons.length
      )
      const looked = yield* Effect.provide(Effect.all([listed, recorded]), Buttons.layerAtRest(dataDir))
      assert.deepStrictEqual(looked, [1, []])
      const pressing = Effect.provide(recorded, Buttons.layer(dataDir))
      assert.deepStrictEqual(yield* Logger.withMinimumLogLevel(pressing, LogLevel.None), ["interrupted"])
    })
  )
})
