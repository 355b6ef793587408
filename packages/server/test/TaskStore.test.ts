import { assert, describe, it } from "@effect/vitest"
import * as TaskStore from "@pushbutton/server/TaskStore"
import * as TaskStoreContract from "@pushbutton/server/testing/taskStoreContract"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"

/** The same map each time; the openings whose scopes are open are alive. */
const reopening = (): TaskStoreContract.Open => {
  const texts = new Map<string, string>()
  const alive = new Set<string>()
  let openings = 0
  return (options) =>
    Effect.flatMap(
      Effect.acquireRelease(
        Effect.sync(() => {
          const runner = `runner-${++openings}`
          alive.add(runner)
          return runner
        }),
        (runner) => Effect.sync(() => void alive.delete(runner))
      ),
      (runner) =>
        TaskStore.fromDriver(
          {
            ...TaskStore.memoryDriver(texts, runner),
            isAlive: (other) => Effect.sync(() => alive.has(other))
          },
          options
        )
    )
}

describe("TaskStore over a driver", () => {
  for (const { check, name } of TaskStoreContract.cases) {
    it.effect(name, () => check(reopening()))
  }

  for (const { check, name } of TaskStoreContract.brokenCases) {
    it.effect(name, () => check(TaskStore.memoryDriver(new Map())))
  }
})

const kept = {
  task: { taskId: "t-1", status: "working", createdAt: 0, lastUpdatedAt: 0, ttlMs: 1000, issued: [] },
  owner: undefined
} as const

describe("TaskStore", () => {
  it.effect("takes a text that it did not write for no task", () =>
    Effect.gen(function* () {
      const texts = new Map([
        ["a", "not JSON"],
        ["b", "{}"],
        ["c", JSON.stringify({ schema_version: 2, runner: "r", owner: null, task: kept.task })],
        [
          "d",
          JSON.stringify({ schema_version: 1, runner: "r", owner: null, task: { ...kept.task, status: "?" } })
        ]
      ])
      const store = yield* TaskStore.fromDriver(TaskStore.memoryDriver(texts))
      for (const key of texts.keys()) assert.isUndefined(yield* store.find(key))
    })
  )

  it.effect("gives up what seems to run long after its time, whoever seems to be alive", () =>
    Effect.gen(function* () {
      const texts = new Map<string, string>()
      const first = yield* TaskStore.fromDriver(TaskStore.memoryDriver(texts, "first"))
      const second = yield* TaskStore.fromDriver({
        ...TaskStore.memoryDriver(texts, "second"),
        isAlive: () => Effect.succeed(true)
      })
      yield* first.create(kept)
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual((yield* second.find("t-1"))?.task.status, "working")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* second.find("t-1"))?.task.status, "failed")
    })
  )

  it.effect("counts no task that could not be written", () =>
    Effect.gen(function* () {
      let isFull = true
      const driver = TaskStore.memoryDriver(new Map())
      const store = yield* TaskStore.fromDriver(
        {
          ...driver,
          write: (key, text) =>
            isFull ? new TaskStore.TaskStoreFailed({ detail: "ENOSPC" }) : driver.write(key, text)
        },
        { max: 1 }
      )
      const failure = yield* Effect.flip(store.create(kept))
      assert.strictEqual(failure._tag, "TaskStoreFailed")
      isFull = false
      yield* store.create(kept)
    })
  )

  it.effect("reads nothing before somebody asks, and then not all at once", () =>
    Effect.gen(function* () {
      const texts = new Map<string, string>()
      const filler = yield* TaskStore.fromDriver(TaskStore.memoryDriver(texts, "before"))
      for (let index = 0; index < 10; index++) {
        yield* filler.create({
          task: {
            ...kept.task,
            taskId: `old-${index}`,
            ttlMs: 1_000_000,
            statusMessage: "x".repeat(1_000_000)
          },
          owner: undefined
        })
      }
      const read: Array<string> = []
      const driver = TaskStore.memoryDriver(texts, "after")
      const store = yield* TaskStore.fromDriver({
        ...driver,
        read: (key) => Effect.tap(driver.read(key), () => Effect.sync(() => read.push(key)))
      })
      assert.deepStrictEqual(read, [])
      assert.strictEqual((yield* store.find("old-3"))?.task.status, "failed")
      assert.deepStrictEqual(read, ["old-3"])
      yield* store.create({ ...kept, task: { ...kept.task, taskId: "new" } })
      assert.isAtMost(read.length, 4)
    })
  )

  it.effect("takes no new task beyond its size, until what is over is forgotten", () =>
    Effect.gen(function* () {
      const texts = new Map<string, string>()
      const options = { maxSize: 1_000 }
      const one = (taskId: string) => ({ ...kept, task: { ...kept.task, taskId } })
      const before = yield* TaskStore.fromDriver(TaskStore.memoryDriver(texts), options)
      yield* before.create(one("a"))
      const error = { code: -1, message: "x".repeat(1_000) }
      yield* before.save({ ...one("a"), task: { ...one("a").task, status: "failed", error } })
      for (const store of [before, yield* TaskStore.fromDriver(TaskStore.memoryDriver(texts), options)]) {
        assert.strictEqual((yield* Effect.flip(store.create(one("b"))))._tag, "TooManyTasks")
      }
      yield* TestClock.adjust("1 second")
      const after = yield* TaskStore.fromDriver(TaskStore.memoryDriver(texts), options)
      yield* after.create(one("b"))
      assert.deepStrictEqual([...texts.keys()], ["b"])
    })
  )
})
