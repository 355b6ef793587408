import * as Fs from "node:fs"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Files from "../src/internal/buttonFiles.js"
import * as FolderWatch from "../src/internal/folderWatch.js"
import * as Temporary from "./support/temporary.js"

/** Longer than any test takes: what is seen was told by the system. */
const never = 2_000_000_000

const signals = (options: FolderWatch.Options) =>
  Effect.gen(function* () {
    const signals = yield* Queue.sliding<void>(1)
    const { refresh } = yield* FolderWatch.make(options, () => signals.unsafeOffer(undefined))
    yield* refresh
    return { next: Queue.take(signals), refresh, told: Queue.size(signals) }
  })

describe("FolderWatch", () => {
  it.scopedLive("is told by the system of what happens in the folder and in its folders", () =>
    Effect.gen(function* () {
      const folder = yield* Temporary.folder
      yield* Temporary.write(folder, { "a/one": "" })
      const { next, refresh } = yield* signals({ folder, deep: true, pollMillis: never })
      for (const change of [{ "a/one": "edited" }, { "a/two": "" }, { "b/one": "" }, { top: "" }]) {
        yield* Temporary.write(folder, change)
        yield* next
        yield* refresh
      }
      yield* Temporary.write(folder, { "b/one": "edited" })
      yield* next
    })
  )

  it.scopedLive("tells nothing of what a script writes beside its code, and all of what makes a button", () =>
    Effect.gen(function* () {
      const folder = yield* Temporary.folder
      yield* Temporary.write(folder, { "a/button.json": "", "a/main.sh": "" })
      const events: Array<string> = []
      const signals: Array<string> = []
      const watchFolder: FolderWatch.WatchFolder = (path, onEvent, onError) => {
        const watcher = Fs.watch(path, { persistent: false }, (_, name) => {
          events.push(`${name}`)
          const before = signals.length
          onEvent(name ?? undefined)
          if (signals.length > before) signals.splice(before, 1, `${name}`)
        })
        watcher.on("error", onError)
        return () => watcher.close()
      }
      const { refresh } = yield* FolderWatch.make(
        { folder, deep: true, pollMillis: never, counts: Files.counts, watchFolder },
        () => void signals.push("?")
      )
      yield* refresh
      yield* Temporary.write(folder, {
        "a/state.json": "1",
        "a/.main.sh.swp": "1",
        "a/pressed/run.json": "1",
        ".new-1/x": "1"
      })
      yield* Temporary.write(folder, { "a/button.json": "{}", "a/AGENTS.md": "note", "b/x": "" })
      yield* Effect.repeat(Effect.sleep("10 millis"), { until: () => signals.includes("b"), times: 500 })
      assert.includeMembers(events, ["state.json", "pressed", ".new-1"])
      assert.sameMembers([...new Set(signals)], ["button.json", "AGENTS.md", "b"])
    })
  )

  it.scopedLive("looks by itself where nothing can be watched", () =>
    Effect.gen(function* () {
      const folder = yield* Temporary.folder
      const { next } = yield* signals({
        folder,
        deep: false,
        pollMillis: 1,
        watchFolder: () => {
          throw new Error("ENOSPC")
        }
      })
      yield* next
      yield* next
    })
  )

  it.scopedLive("looks by itself where the file system tells nothing", () =>
    Effect.gen(function* () {
      const folder = yield* Temporary.folder
      const nfs = 0x6969
      const { next } = yield* signals({ folder, deep: false, pollMillis: 1, fileSystemType: async () => nfs })
      yield* next
      yield* next
    })
  )

  it.scopedLive("looks by itself when a watch ends, and watches again", () =>
    Effect.gen(function* () {
      const folder = yield* Temporary.folder
      const failures: Array<() => void> = []
      const stopped: Array<string> = []
      const { next, refresh } = yield* signals({
        folder,
        deep: false,
        pollMillis: never,
        watchFolder: (path, _, onError) => {
          failures.push(onError)
          return () => void stopped.push(Path.basename(path))
        }
      })
      assert.lengthOf(failures, 1)
      failures[0]?.()
      yield* next
      assert.deepStrictEqual(stopped, [Path.basename(folder)])
      yield* refresh
      assert.lengthOf(failures, 2)
    })
  )

  it.scopedLive("watches no folder twice, and none that has gone", () =>
    Effect.gen(function* () {
      const folder = yield* Temporary.folder
      yield* Temporary.write(folder, { "a/one": "", "b/one": "" })
      const open: Array<string> = []
      const watch = yield* signals({
        folder,
        deep: true,
        pollMillis: never,
        watchFolder: (path) => {
          open.push(path)
          return () => void open.splice(open.indexOf(path), 1)
        }
      })
      yield* watch.refresh
      assert.sameMembers(open, [folder, Path.join(folder, "a"), Path.join(folder, "b")])
      yield* Temporary.remove(Path.join(folder, "a"))
      yield* watch.refresh
      assert.sameMembers(open, [folder, Path.join(folder, "b")])
    })
  )

  it.scopedLive("does not keep the process alive", () =>
    Effect.gen(function* () {
      const folder = yield* Temporary.folder
      const before = holding()
      yield* signals({ folder, deep: true })
      assert.deepStrictEqual(holding(), before)
    })
  )
})

/** What keeps the event loop alive, of the kinds that a watch is made of. */
const holding = () =>
  process.getActiveResourcesInfo().filter((kind) => kind === "Timeout" || kind.startsWith("FSEvent"))
