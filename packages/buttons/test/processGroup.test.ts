import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ProcessGroup from "../src/internal/processGroup.js"
import { alive, killAfterwards, pipe } from "./support/processes.js"
import * as Temporary from "./support/temporary.js"

const hostPath = fileURLToPath(new URL("./support/host.mjs", import.meta.url))

/**
 * Starts a server whose button runs, ends the server, and gives how it ended and the group of its button when every
 * process in it has let go of its pipe.
 */
const endServer = (way: string, signal: NodeJS.Signals | undefined) =>
  Effect.gen(function* () {
    const { closed, first, path } = yield* pipe(yield* Temporary.folder)
    const host = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [hostPath, way, path], { stdio: ["pipe", "ignore", "ignore"] })
      ),
      (started) => Effect.sync(() => started.kill("SIGTERM"))
    )
    const exited = new Promise<string>((resolve) => {
      host.on("exit", (code, by) => resolve(by ?? `code ${code}`))
    })
    // A server that ends by itself has no group to tell of.
    const group = Number(
      yield* Effect.race(
        first,
        Effect.flatMap(
          Effect.promise(() => exited),
          Effect.die
        )
      )
    )
    assert.isTrue(ProcessGroup.isGroupId(group))
    yield* killAfterwards(group)
    if (signal === undefined) host.stdin.write("end\n")
    else host.kill(signal)
    const ended = yield* Effect.promise(() => exited)
    yield* closed
    return { ended, group }
  })

describe("processGroup", () => {
  // verifies: P-101
  it.scopedLive.each([
    ["exit", undefined, "code 0"],
    ["throw", undefined, "code 1"],
    ["wait", "SIGTERM", "SIGTERM"],
    ["wait", "SIGINT", "SIGINT"],
    ["wait", "SIGHUP", "SIGHUP"],
    ["graceful", "SIGTERM", "code 7"]
  ] as const)(
    "leaves nothing behind when the server ends by %s %s",
    ([way, signal, expected]) =>
      Effect.gen(function* () {
        const { ended, group } = yield* endServer(way, signal)
        assert.strictEqual(ended, expected)
        assert.deepStrictEqual(alive(group), [])
      }),
    // The server is a process that compiles what it loads.
    60_000
  )

  // Only the check is called here: starting such a group would signal strangers if the check were wrong.
  // verifies: P-110
  it.each([0, 1, -1, 1.5, Number.NaN])("does not take %s for a group, which would signal strangers", (id) => {
    assert.isFalse(ProcessGroup.isGroupId(id))
  })

  // verifies: P-110
  it.live("knows an empty group, and signals it no more", () =>
    Effect.gen(function* () {
      const { group } = ProcessGroup.start("none", () =>
        spawn("/bin/sh", ["-c", "exit 0"], { detached: true, stdio: "ignore" })
      )
      assert.isDefined(group)
      if (group === undefined) return
      yield* group.empty
      assert.isTrue(group.isEmpty())
      group.signal("SIGKILL")
      group.release()
      assert.deepStrictEqual(alive(group.id), [])
    })
  )

  // Nothing is signalled here: the number is of no process, and the signaller is not the system's.
  it("signals a group no more once only its mark is kept", () => {
    const sent: Array<number> = []
    const signaller = vi.spyOn(process, "kill").mockImplementation((id) => {
      sent.push(id)
      return true
    })
    try {
      const { group } = ProcessGroup.start("none", () => ({ pid: 2_000_000_000 }))
      assert.isDefined(group)
      assert.isFalse(group?.isEmpty())
      group?.keepMark()
      group?.signal("SIGKILL")
      assert.deepStrictEqual([sent, group?.isEmpty()], [[-2_000_000_000], true])
      group?.release()
    } finally {
      signaller.mockRestore()
    }
  })

  it("listens for signals before a child starts, and no longer when none did", () => {
    const count = () => ["exit", "SIGTERM"].map((event) => process.listenerCount(event))
    const before = count()
    const { child, group } = ProcessGroup.start("none", () => ({ pid: undefined, meanwhile: count() }))
    assert.deepStrictEqual(
      child.meanwhile,
      before.map((listeners) => listeners + 1)
    )
    assert.isUndefined(group)
    assert.throws(() =>
      ProcessGroup.start("none", () => {
        throw new Error("E2BIG")
      })
    )
    assert.deepStrictEqual(count(), before)
  })

  it.effect("listens on for the next child as long as somebody keeps it listening", () =>
    Effect.gen(function* () {
      const count = () => process.listenerCount("SIGTERM")
      const none = () => ProcessGroup.start("none", () => ({ pid: undefined }))
      const before = count()
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* ProcessGroup.keepListening
          assert.strictEqual(count(), before)
          none()
          assert.strictEqual(count(), before + 1)
          none()
          assert.strictEqual(count(), before + 1)
        })
      )
      assert.strictEqual(count(), before)
    })
  )
})
