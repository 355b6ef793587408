import { spawn } from "node:child_process"
import { text as textOf } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Marked from "../src/internal/markedProcesses.js"
import * as ProcessTable from "../src/internal/processTable.js"

const hostPath = fileURLToPath(new URL("./support/lookHost.mjs", import.meta.url))

/** What a process sees that may have no more than so many descriptors. */
const seenWith = (descriptors: number, group: number) =>
  Effect.gen(function* () {
    const host = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(
          "/bin/sh",
          ["-c", `ulimit -n ${descriptors}; exec "$0" "$@"`, process.execPath, hostPath, `${group}`],
          { stdio: ["ignore", "pipe", "ignore"] }
        )
      ),
      (started) => Effect.sync(() => started.kill("SIGKILL"))
    )
    const seen: unknown = JSON.parse(yield* Effect.promise(() => textOf(host.stdout)))
    return seen
  })

describe("processTable", () => {
  it.scopedLive("takes a look that fails for no look, not for a process that is gone", () =>
    Effect.gen(function* () {
      // No group has that number, so that it is dead when that can be seen.
      const seen = yield* seenWith(200, 2_000_000_000)
      assert.deepStrictEqual(seen, {
        free: { own: "found", hasFailed: false, marked: 0, isGroupDead: true, isNothingLeft: false },
        exhausted: { own: "failed", hasFailed: true, marked: 0, isGroupDead: false, isNothingLeft: false }
      })
    })
  )

  it("tells threads of the kernel from processes that have just ended", () => {
    const { changing, ended } = Marked.lookNow(new Set(["0".repeat(32)]))
    assert.deepStrictEqual(
      [...changing.keys(), ...ended.keys()].filter((pid) => ProcessTable.look(pid)?.isKernel === true),
      []
    )
  })
})
