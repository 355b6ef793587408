import { spawn } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ProcessSignal from "../src/internal/processSignal.js"
import * as ProcessTable from "../src/internal/processTable.js"

/** A child in its own group, or in ours, that is gone when the scope closes. */
const child = (detached: boolean) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ readonly pid: number; readonly ended: Promise<string> }>((resolve, reject) => {
          const spawned = spawn("sleep", ["300"], { detached, stdio: "ignore" })
          const ended = new Promise<string>((done) => spawned.once("exit", (_, signal) => done(`${signal}`)))
          spawned.once("error", reject)
          spawned.once("spawn", () => resolve({ pid: spawned.pid ?? 0, ended }))
        })
    ),
    ({ pid }) => Effect.sync(() => ProcessSignal.isPid(pid) && isAlive(pid) && process.kill(pid, "SIGKILL"))
  )

const isAlive = (pid: number) => ProcessTable.look(pid)?.isDead === false

const startOf = (pid: number) => ProcessTable.look(pid)?.start ?? ""

describe("processSignal", () => {
  it.each([0, 1, -1, -5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])(
    "takes %s for no process",
    (id) => {
      assert.isFalse(ProcessSignal.isPid(id))
    }
  )

  it.scopedLive("ends a process that is still the one that was found", () =>
    Effect.gen(function* () {
      const { ended, pid } = yield* child(true)
      assert.isTrue(ProcessSignal.send({ pid, start: startOf(pid) }, "SIGTERM"))
      assert.strictEqual(yield* Effect.promise(() => ended), "SIGTERM")
    })
  )

  it.scopedLive("leaves alone a process of the same number that started at another time", () =>
    Effect.gen(function* () {
      const { pid } = yield* child(true)
      for (const start of [`${Number(startOf(pid)) - 1}`, ""]) {
        assert.isFalse(ProcessSignal.send({ pid, start }, "SIGTERM"))
        assert.isFalse(ProcessSignal.sendToGroup({ pid, start }, "SIGKILL"))
      }
      assert.isTrue(isAlive(pid))
    })
  )

  it.scopedLive("leaves alone what is in our own group, and the group itself", () =>
    Effect.gen(function* () {
      const { pid } = yield* child(false)
      const target = { pid, start: startOf(pid) }
      assert.isFalse(ProcessSignal.send(target, "SIGTERM"))
      assert.isFalse(ProcessSignal.sendToGroup(target, "SIGKILL"))
      assert.isTrue(isAlive(pid))
    })
  )

  it.scopedLive("signals a group only by the process that leads it", () =>
    Effect.gen(function* () {
      const { ended, pid } = yield* child(true)
      assert.isTrue(ProcessSignal.sendToGroup({ pid, start: startOf(pid) }, "SIGKILL"))
      assert.strictEqual(yield* Effect.promise(() => ended), "SIGKILL")
    })
  )
})
