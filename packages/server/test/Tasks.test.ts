import { assert, describe, it } from "@effect/vitest"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Progress from "@pushbutton/server/Progress"
import type { RequestContext } from "@pushbutton/server/RequestContext"
import type { TaskMode } from "@pushbutton/server/TaskMode"
import * as TaskStore from "@pushbutton/server/TaskStore"
import * as Tool from "@pushbutton/server/Tool"
import * as ToolResult from "@pushbutton/server/ToolResult"
import * as TaskStoreContract from "@pushbutton/server/testing/taskStoreContract"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { modern, send, session } from "./support/conversation.js"
import { quiet } from "./support/logs.js"
import { ask, call, cancel, get, tasks, update } from "./support/taskClient.js"

type Handler = Effect.Effect<ToolResult.ToolContent, unknown, RequestContext>

const tool = (task: TaskMode, handler: Handler, name = "t") =>
  Tool.make(name, { input: Schema.Struct({}), task, handler: () => handler })

const serving = (task: TaskMode, handler: Handler, options: McpServer.TasksOptions = {}) =>
  Layer.provideMerge(
    McpServer.tools(tool(task, handler)),
    McpServer.layer({ name: "test", version: "1", tasks: options })
  ).pipe(Layer.provideMerge(quiet))

/** Lets the fibers of tasks that can go on do so. */
const settle = TestClock.adjust(0)

/** Work that says when it has begun, ends when it is told to, and says when it was interrupted. */
const steps = Effect.map(
  Effect.all([Deferred.make<void>(), Deferred.make<ToolResult.ToolContent, Error>(), Deferred.make<void>()]),
  ([begun, end, interrupted]) => ({
    begun: Deferred.await(begun),
    end: (text: string) => Effect.zipRight(Deferred.succeed(end, text), settle),
    interrupted: Deferred.await(interrupted),
    handler: Effect.zipRight(
      Deferred.succeed(begun, undefined),
      Effect.onInterrupt(Deferred.await(end), () => Deferred.succeed(interrupted, undefined))
    )
  })
)

describe("a tool whose calls always become tasks", () => {
  // verifies: CORE-11, CORE-33, TASK-07, TASK-14, TASK-16, TASK-19, TASK-02, TASK-03
  it.effect("answers with a handle, and then through it with what a plain call would have had", () =>
    Effect.gen(function* () {
      const work = yield* steps
      yield* Effect.gen(function* () {
        const handle = yield* call("t")
        assert.strictEqual(handle.status, 200)
        assert.deepStrictEqual(handle.result, {
          resultType: "task",
          taskId: handle.taskId,
          status: "working",
          createdAt: "1970-01-01T00:00:00.000Z",
          lastUpdatedAt: "1970-01-01T00:00:00.000Z",
          ttlMs: 3_600_000,
          pollIntervalMs: 1000,
          _meta: { "io.modelcontextprotocol/serverInfo": { name: "test", version: "1" } }
        })
        yield* work.begun
        const polled = yield* get(handle.taskId)
        assert.deepStrictEqual([polled.resultType, polled.taskStatus], ["complete", "working"])
        assert.notProperty(polled.result, "result")
        yield* TestClock.adjust("1 second")
        yield* work.end("done")
        const done = yield* get(handle.taskId)
        const plain = yield* call("t", { capabilities: {} })
        assert.deepStrictEqual(done.result, {
          resultType: "complete",
          taskId: handle.taskId,
          status: "completed",
          createdAt: "1970-01-01T00:00:00.000Z",
          lastUpdatedAt: "1970-01-01T00:00:01.000Z",
          ttlMs: 3_600_000,
          pollIntervalMs: 1000,
          result: plain.result,
          _meta: { "io.modelcontextprotocol/serverInfo": { name: "test", version: "1" } }
        })
        assert.strictEqual(plain.text, "done")
        assert.strictEqual(plain.resultType, "complete")
      }).pipe(Effect.provide(serving("always", work.handler)))
    })
  )

  // verifies: TASK-16, TASK-18, TASK-20, TASK-21
  it.effect("completes with the tool's own failure, and fails by a defect", () =>
    Effect.gen(function* () {
      const server = Layer.provideMerge(
        McpServer.tools(
          tool("always", Effect.fail("no disk"), "failing"),
          tool("always", Effect.die("bug"), "dying"),
          tool("always", Effect.succeed(ToolResult.error("refused")), "refusing")
        ),
        McpServer.layer({ name: "test", version: "1" })
      ).pipe(Layer.provideMerge(quiet))
      yield* Effect.gen(function* () {
        const outcome = Effect.fnUntraced(function* (name: string) {
          const { taskId } = yield* call(name)
          yield* settle
          return yield* get(taskId)
        })
        const failing = yield* outcome("failing")
        assert.deepStrictEqual([failing.taskStatus, failing.text], ["completed", "no disk"])
        const refusing = yield* outcome("refusing")
        assert.deepStrictEqual([refusing.taskStatus, refusing.text], ["completed", "refused"])
        const dying = yield* outcome("dying")
        assert.strictEqual(dying.taskStatus, "failed")
        assert.deepStrictEqual(dying.result["error"], { code: -32603, message: "Internal error" })
        assert.strictEqual(dying.statusMessage, "Internal error")
        assert.notProperty(dying.result, "result")
      }).pipe(Effect.provide(server))
    })
  )

  // verifies: CORE-11, VER-08, TASK-05, TASK-08, P-76
  it.effect("runs as a plain call for a client that does not declare the extension with it", () =>
    Effect.gen(function* () {
      const declaring = yield* call("t")
      assert.strictEqual(declaring.resultType, "task")
      const { resultType, text } = yield* call("t", { capabilities: { tasks: {}, extensions: {} } })
      assert.deepStrictEqual([resultType, text], ["complete", "done"])
    }).pipe(Effect.provide(serving("always", Effect.succeed("done"))))
  )

  // verifies: TASK-49, P-77, P-78
  it.effect("takes no notice of the params of the older tasks", () =>
    Effect.gen(function* () {
      const { resultType } = yield* call("t", { capabilities: {}, params: { task: { ttl: -1 } } })
      assert.strictEqual(resultType, "complete")
    }).pipe(Effect.provide(serving("always", Effect.succeed("done"))))
  )

  // verifies: CORE-33, TASK-50
  it.effect("goes on when the request and its connection are long gone", () =>
    Effect.gen(function* () {
      const work = yield* steps
      yield* Effect.gen(function* () {
        // The conversation interrupts what runs when a request is over.
        const { taskId } = yield* call("t")
        yield* work.begun
        yield* work.end("done")
        assert.strictEqual((yield* get(taskId)).text, "done")
      }).pipe(Effect.provide(serving("always", work.handler)))
    })
  )

  // verifies: TASK-39
  it.effect("tells of progress in the status message, and by nothing else", () =>
    Effect.gen(function* () {
      const work = yield* steps
      const handler = Progress.report({ progress: 1, total: 4 }).pipe(
        Effect.zipRight(work.handler),
        Effect.zipLeft(Progress.report({ progress: 2, message: "almost" })),
        Effect.zipLeft(Effect.never)
      )
      yield* Effect.gen(function* () {
        const { notifications, taskId } = yield* call("t", { progressToken: "p" })
        assert.deepStrictEqual(notifications, [])
        yield* work.begun
        assert.strictEqual((yield* get(taskId)).statusMessage, "1 of 4")
        yield* work.end("done")
        assert.strictEqual((yield* get(taskId)).statusMessage, "almost")
      }).pipe(Effect.provide(serving("always", handler)))
    })
  )

  // verifies: TASK-10, TASK-11
  it.effect("is answered when the task is stored, and not before", () =>
    Effect.gen(function* () {
      const written = yield* Deferred.make<void>()
      const driver = TaskStore.memoryDriver(new Map())
      const slow = TaskStore.fromDriver({
        ...driver,
        write: (key, text) => Effect.zipRight(Deferred.await(written), driver.write(key, text))
      })
      const store = Layer.effect(TaskStore.TaskStore, Effect.orDie(slow))
      yield* Effect.gen(function* () {
        const calling = yield* Effect.fork(call("t"))
        yield* TestClock.adjust("1 minute")
        assert.isNull(calling.unsafePoll())
        yield* Deferred.succeed(written, undefined)
        const { taskId } = yield* Fiber.join(calling)
        assert.isUndefined((yield* get(taskId)).error)
      }).pipe(Effect.provide(serving("always", Effect.succeed("done"), { store })))
    })
  )

  // verifies: TASK-44, P-76
  it.effect("gives ids of 144 random bits", () =>
    Effect.gen(function* () {
      const ids = [(yield* call("t")).taskId, (yield* call("t")).taskId]
      for (const id of ids) assert.match(id, /^[A-Za-z0-9_-]{24}$/)
      assert.notStrictEqual(ids[0], ids[1])
    }).pipe(Effect.provide(serving("always", Effect.succeed("done"))))
  )

  // verifies: TASK-10, TASK-35
  it.effect("is refused when the task cannot be kept, and then does nothing", () =>
    Effect.gen(function* () {
      let runs = 0
      const broken = Layer.effect(
        TaskStore.TaskStore,
        Effect.orDie(
          TaskStore.fromDriver({
            ...TaskStore.memoryDriver(new Map()),
            write: () => new TaskStore.TaskStoreFailed({ detail: "ENOSPC" })
          })
        )
      )
      const handler = Effect.sync(() => String(++runs))
      yield* Effect.gen(function* () {
        const { error, status } = yield* call("t")
        assert.deepStrictEqual([status, error], [200, { code: -32603, message: "Internal error" }])
        assert.strictEqual(runs, 0)
      }).pipe(Effect.provide(serving("always", handler, { store: broken })))
    })
  )

  // verifies: P-76
  it.effect("is refused beyond the tasks that one caller may have running", () =>
    Effect.gen(function* () {
      const options = { maxRunning: 3, maxRunningPerPrincipal: 1 }
      yield* Effect.gen(function* () {
        const { taskId } = yield* call("t", { principal: "ann" })
        const { error } = yield* call("t", { principal: "ann" })
        assert.strictEqual(error?.code, -32603)
        assert.include(error?.message, "limit 1")
        yield* call("t", { principal: "ben" })
        yield* call("t")
        assert.include((yield* call("t")).error?.message, "limit 3")
        yield* cancel(taskId, { principal: "ann" })
        yield* settle
        assert.strictEqual((yield* call("t", { principal: "ann" })).resultType, "task")
      }).pipe(Effect.provide(serving({ required: true }, Effect.never, options)))
    })
  )

  it.effect("waits for the result where no task can be added, unless it needs one", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.provide(
        call("t"),
        serving({ required: true }, Effect.succeed("done"), { maxRunning: 0 })
      )
      assert.include(refused.error?.message, "limit 0")
      const { resultType, text } = yield* Effect.provide(
        call("t"),
        serving("always", Effect.succeed("done"), { maxRunning: 0 })
      )
      assert.deepStrictEqual([resultType, text], ["complete", "done"])
    })
  )

  it.effect("tells of fast progress at a bounded rate, the newest last", () =>
    Effect.gen(function* () {
      const work = yield* steps
      const handler = Effect.forEach([1, 2, 3, 4], (progress) => Progress.report({ progress })).pipe(
        Effect.zipRight(work.handler)
      )
      yield* Effect.gen(function* () {
        const { taskId } = yield* call("t")
        yield* work.begun
        assert.strictEqual((yield* get(taskId)).statusMessage, "1")
        yield* TestClock.adjust("1 second")
        assert.strictEqual((yield* get(taskId)).statusMessage, "4")
      }).pipe(Effect.provide(serving("always", handler, { progress: { burst: 1, interval: "1 second" } })))
    })
  )
})

/** A store that writes nothing before `written` is done. */
const slowStore = Effect.gen(function* () {
  const written = yield* Deferred.make<void>()
  const texts = new Map<string, string>()
  const driver = TaskStore.memoryDriver(texts)
  const slow = TaskStore.fromDriver({
    ...driver,
    write: (key, text) => Effect.zipRight(Deferred.await(written), driver.write(key, text))
  })
  return { store: Layer.effect(TaskStore.TaskStore, Effect.orDie(slow)), texts, written }
})

describe("a task whose end cannot be stored", () => {
  const breaking = Effect.sync(() => {
    const texts = new Map<string, string>()
    const { driver, fail, mend } = TaskStoreContract.breakable(TaskStore.memoryDriver(texts))
    const store = Layer.effect(TaskStore.TaskStore, Effect.orDie(TaskStore.fromDriver(driver)))
    const stored = () => Array.from(texts.values(), (text) => JSON.parse(text).task.status)
    return { store, fail, mend, stored }
  })

  it.effect("is over all the same, counts no more, and is stored when that is possible again", () =>
    Effect.gen(function* () {
      const work = yield* steps
      const { fail, mend, store, stored } = yield* breaking
      yield* Effect.gen(function* () {
        const { taskId } = yield* call("t")
        yield* work.begun
        yield* fail
        yield* work.end("done")
        yield* TestClock.adjust("1 hour")
        yield* TestClock.adjust("5 minutes")
        assert.deepStrictEqual(stored(), ["working"])
        assert.strictEqual((yield* get(taskId)).text, "done")
        yield* mend
        assert.strictEqual((yield* call("t")).resultType, "task")
        yield* TestClock.adjust("30 seconds")
        assert.deepStrictEqual(stored(), ["completed", "completed"])
        assert.strictEqual((yield* get(taskId)).text, "done")
      }).pipe(
        Effect.provide(
          serving({ required: true }, work.handler, { store, maxRunning: 1, keep: "2 hours", ttl: "1 hour" })
        )
      )
    })
  )

  it.effect("is unknown when its time is over, and removed when that is possible again", () =>
    Effect.gen(function* () {
      const work = yield* steps
      const { fail, mend, store, stored } = yield* breaking
      yield* Effect.gen(function* () {
        const { taskId } = yield* call("t")
        yield* work.begun
        yield* fail
        yield* work.end("done")
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* get(taskId)).error?.code, -32602)
        yield* mend
        yield* TestClock.adjust("30 seconds")
        assert.deepStrictEqual(stored(), [])
        assert.strictEqual((yield* get(taskId)).error?.code, -32602)
      }).pipe(Effect.provide(serving("always", work.handler, { store, keep: "1 minute", ttl: "1 minute" })))
    })
  )

  it.effect("gets a last try at the end of the server", () =>
    Effect.gen(function* () {
      const work = yield* steps
      const { fail, mend, store, stored } = yield* breaking
      const scope = yield* Scope.make()
      const server = yield* Layer.buildWithScope(serving("always", work.handler, { store }), scope)
      yield* Effect.provide(call("t"), server)
      yield* work.begun
      yield* fail
      yield* work.end("done")
      yield* mend
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(stored(), ["completed"])
    })
  )
})

describe("a task that another process runs", () => {
  it.effect("can be read here, and is neither answered nor cancelled in vain", () =>
    Effect.gen(function* () {
      const texts = new Map<string, string>()
      const storeOf = (runner: string) =>
        Layer.effect(
          TaskStore.TaskStore,
          Effect.orDie(
            TaskStore.fromDriver({
              ...TaskStore.memoryDriver(texts, runner),
              isAlive: () => Effect.succeed(true)
            })
          )
        )
      const there = yield* Layer.build(serving("always", Effect.never, { store: storeOf("there") }))
      const here = yield* Layer.build(serving("always", Effect.never, { store: storeOf("here") }))
      const { taskId } = yield* Effect.provide(call("t"), there)
      yield* Effect.gen(function* () {
        assert.strictEqual((yield* get(taskId)).taskStatus, "working")
        for (const { error, status } of [yield* update(taskId, {}), yield* cancel(taskId)]) {
          assert.deepStrictEqual([status, error?.code], [200, -32603])
          assert.include(error?.message, "Another process runs this task")
        }
      }).pipe(Effect.provide(here))
      yield* Effect.provide(cancel(taskId), there)
      yield* settle
      assert.strictEqual((yield* Effect.provide(get(taskId), here)).taskStatus, "cancelled")
      assert.strictEqual((yield* Effect.provide(cancel(taskId), here)).resultType, "complete")
    }).pipe(Effect.scoped)
  )
})

describe("a tool that needs a client with tasks", () => {
  // verifies: VER-08, TASK-06
  it.effect("refuses others with the capability that is missing", () =>
    Effect.gen(function* () {
      const { error, status } = yield* call("t", { capabilities: {} })
      assert.strictEqual(status, 400)
      assert.strictEqual(error?.code, -32021)
      assert.deepStrictEqual(error?.data, {
        requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } }
      })
      assert.strictEqual((yield* call("t")).resultType, "task")
    }).pipe(Effect.provide(serving({ required: true }, Effect.succeed("done"))))
  )

  it.effect("tells the model of a handshake client why it does not run", () =>
    Effect.gen(function* () {
      const answer = yield* send(
        { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "t" } },
        { session: session("2025-11-25") }
      )
      assert.deepStrictEqual(answer?.body, {
        jsonrpc: "2.0",
        id: 1,
        result: {
          content: [
            {
              type: "text",
              text: "t takes so long that it only runs as a task, which needs a client that speaks MCP 2026-07-28 with the extension io.modelcontextprotocol/tasks."
            }
          ],
          isError: true
        }
      })
    }).pipe(Effect.provide(serving({ required: true }, Effect.succeed("done"))))
  )
})

describe("a tool whose calls become tasks when they take long", () => {
  it.effect("answers a quick call as any other, up to the threshold", () =>
    Effect.gen(function* () {
      const calling = yield* Effect.fork(call("t"))
      yield* TestClock.adjust("9999 millis")
      const { resultType, text } = yield* Fiber.join(calling)
      assert.deepStrictEqual([resultType, text], ["complete", "done"])
    }).pipe(
      Effect.provide(serving({ after: "10 seconds" }, Effect.delay(Effect.succeed("done"), "9999 millis")))
    )
  )

  it.effect("hands the running work over, and does not begin it again", () =>
    Effect.gen(function* () {
      let runs = 0
      const handler = Effect.gen(function* () {
        runs++
        yield* Progress.report({ progress: 1 })
        yield* Effect.sleep("15 seconds")
        yield* Progress.report({ progress: 2, message: "late" })
        yield* Effect.sleep("5 seconds")
        return "done"
      })
      yield* Effect.gen(function* () {
        const calling = yield* Effect.fork(call("t", { progressToken: "p" }))
        yield* TestClock.adjust("10 seconds")
        const { notifications, resultType, taskId } = yield* Fiber.join(calling)
        assert.strictEqual(resultType, "task")
        assert.strictEqual(notifications.length, 1)
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual((yield* get(taskId)).statusMessage, "late")
        assert.strictEqual(notifications.length, 1)
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual((yield* get(taskId)).text, "done")
        assert.strictEqual(runs, 1)
      }).pipe(Effect.provide(serving({ after: "10 seconds" }, handler)))
    })
  )

  it.effect("is interrupted with its request before that, and not after", () =>
    Effect.gen(function* () {
      const first = yield* steps
      yield* Effect.gen(function* () {
        const calling = yield* Effect.fork(call("t"))
        yield* first.begun
        yield* Fiber.interrupt(calling)
        yield* first.interrupted
      }).pipe(Effect.provide(serving({ after: "10 seconds" }, first.handler)))
    })
  )

  it.effect("is interrupted with its request also while it is handed over, and the task with it", () =>
    Effect.gen(function* () {
      const work = yield* steps
      const { store, texts, written } = yield* slowStore
      yield* Effect.gen(function* () {
        const calling = yield* Effect.fork(call("t"))
        yield* TestClock.adjust("10 seconds")
        const cancelling = yield* Effect.fork(Fiber.interrupt(calling))
        yield* settle
        yield* Deferred.succeed(written, undefined)
        yield* Fiber.join(cancelling)
        yield* work.interrupted
        assert.deepStrictEqual(
          Array.from(texts.values(), (text) => JSON.parse(text).task.status),
          ["cancelled"]
        )
      }).pipe(Effect.provide(serving({ after: "10 seconds" }, work.handler, { store })))
    })
  )

  it.effect("answers with the result when the work ends while it is handed over, and keeps no task", () =>
    Effect.gen(function* () {
      const work = yield* steps
      const { store, texts, written } = yield* slowStore
      yield* Effect.gen(function* () {
        const calling = yield* Effect.fork(call("t"))
        yield* TestClock.adjust("10 seconds")
        yield* work.end("done")
        yield* Deferred.succeed(written, undefined)
        const { resultType, text } = yield* Fiber.join(calling)
        assert.deepStrictEqual([resultType, text], ["complete", "done"])
        assert.strictEqual(texts.size, 0)
      }).pipe(Effect.provide(serving({ after: "10 seconds" }, work.handler, { store })))
    })
  )

  it.effect("goes on as a plain call where no task can be kept", () =>
    Effect.gen(function* () {
      const calling = yield* Effect.fork(call("t"))
      yield* TestClock.adjust("20 seconds")
      const { resultType, text } = yield* Fiber.join(calling)
      assert.deepStrictEqual([resultType, text], ["complete", "done"])
    }).pipe(
      Effect.provide(
        serving({ after: "10 seconds" }, Effect.delay(Effect.succeed("done"), "20 seconds"), {
          maxRunning: 0
        })
      )
    )
  )
})

describe("tasks/cancel", () => {
  // verifies: TASK-17, TASK-19, TASK-29, TASK-30, P-77
  it.effect("interrupts the work, is acknowledged at once, and again", () =>
    Effect.gen(function* () {
      const work = yield* steps
      yield* Effect.gen(function* () {
        const { taskId } = yield* call("t")
        yield* work.begun
        const acknowledged = yield* cancel(taskId)
        assert.deepStrictEqual(acknowledged.result, {
          resultType: "complete",
          _meta: { "io.modelcontextprotocol/serverInfo": { name: "test", version: "1" } }
        })
        yield* work.interrupted
        yield* settle
        const over = yield* get(taskId)
        assert.deepStrictEqual(
          [over.resultType, over.taskStatus, over.statusMessage],
          ["complete", "cancelled", "The task was cancelled"]
        )
        assert.deepStrictEqual((yield* cancel(taskId)).result, acknowledged.result)
        assert.deepStrictEqual((yield* get(taskId)).result, over.result)
      }).pipe(Effect.provide(serving("always", work.handler)))
    })
  )

  // verifies: P-77
  it.effect("changes nothing for a task that is over", () =>
    Effect.gen(function* () {
      const { taskId } = yield* call("t")
      yield* settle
      const before = yield* get(taskId)
      assert.strictEqual(before.taskStatus, "completed")
      assert.strictEqual((yield* cancel(taskId)).resultType, "complete")
      assert.deepStrictEqual((yield* get(taskId)).result, before.result)
    }).pipe(Effect.provide(serving("always", Effect.succeed("done"))))
  )

  it.effect("waits for work that does not let itself be interrupted", () =>
    Effect.gen(function* () {
      const work = yield* steps
      yield* Effect.gen(function* () {
        const { taskId } = yield* call("t")
        yield* work.begun
        yield* cancel(taskId)
        yield* settle
        assert.strictEqual((yield* get(taskId)).taskStatus, "working")
        yield* work.end("done all the same")
        assert.strictEqual((yield* get(taskId)).taskStatus, "cancelled")
      }).pipe(Effect.provide(serving("always", Effect.uninterruptible(work.handler))))
    })
  )
})

describe("the methods of tasks", () => {
  // verifies: VER-06, TASK-01, TASK-49, P-78
  it.effect("exist where a tool has tasks, under these names, and are announced", () =>
    Effect.gen(function* () {
      const { result } = yield* ask("server/discover", {})
      assert.deepInclude(result["capabilities"], tasks)
      for (const method of ["tasks/list", "tasks/result"]) {
        assert.strictEqual((yield* ask(method, { taskId: "x" })).error?.code, -32601)
      }
    }).pipe(Effect.provide(serving("detach", Effect.succeed("done"))))
  )

  it.effect("do not exist where no tool has tasks", () =>
    Effect.gen(function* () {
      const { result } = yield* ask("server/discover", {})
      assert.notProperty(result["capabilities"], "extensions")
      assert.strictEqual((yield* get("x")).error?.code, -32601)
    }).pipe(Effect.provide(serving("never", Effect.succeed("done"))))
  )

  // verifies: P-78
  it.effect("do not exist in sessions, which are told of no extension", () =>
    Effect.gen(function* () {
      const initialized = yield* send({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-11-25",
          capabilities: tasks,
          clientInfo: { name: "c", version: "1" }
        }
      })
      assert.deepNestedPropertyVal(initialized?.body, "result.capabilities", { tools: { listChanged: true } })
      const inSession = { session: session("2025-11-25", tasks) }
      const request = { jsonrpc: "2.0", id: 1, method: "tasks/get", params: { taskId: "x" } }
      assert.deepNestedPropertyVal((yield* send(request, inSession))?.body, "error.code", -32601)
      const plain = yield* send({ ...request, method: "tools/call", params: { name: "t" } }, inSession)
      assert.deepNestedPropertyVal(plain?.body, "result", { content: [{ type: "text", text: "done" }] })
    }).pipe(Effect.provide(serving("always", Effect.succeed("done"))))
  )

  // verifies: TASK-31, TASK-33, TASK-32, TASK-36
  it.effect("look at the capability first, then at the params, then at the id", () =>
    Effect.gen(function* () {
      for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
        const params = { taskId: "gate-test", inputResponses: {} }
        const undeclared = yield* ask(method, params, { capabilities: {} })
        assert.deepStrictEqual([undeclared.status, undeclared.error?.code], [400, -32021])
        const shapeless = yield* ask(method, {})
        assert.deepStrictEqual(shapeless.error, { code: -32602, message: "params.taskId is missing" })
        const unknown = yield* ask(method, params)
        assert.deepStrictEqual(
          [unknown.status, unknown.error],
          [200, { code: -32602, message: "Task not found: gate-test" }]
        )
      }
    }).pipe(Effect.provide(serving("always", Effect.succeed("done"))))
  )

  // verifies: SEC-03, TASK-46, P-76
  it.effect("know no task of another caller", () =>
    Effect.gen(function* () {
      const work = yield* steps
      yield* Effect.gen(function* () {
        const { taskId } = yield* call("t", { principal: "ann" })
        yield* work.begun
        const foreign = [{ principal: "ben" }, {}]
        const refused = function* () {
          for (const options of foreign) {
            const answers = [
              yield* get(taskId, options),
              yield* update(taskId, {}, options),
              yield* cancel(taskId, options)
            ]
            for (const { error } of answers) {
              assert.deepStrictEqual(error, { code: -32602, message: `Task not found: ${taskId}` })
            }
          }
        }
        yield* Effect.gen(refused)
        assert.strictEqual((yield* get(taskId, { principal: "ann" })).taskStatus, "working")
        yield* work.end("done")
        yield* Effect.gen(refused)
        assert.strictEqual((yield* get(taskId, { principal: "ann" })).text, "done")
      }).pipe(Effect.provide(serving("always", work.handler)))
    })
  )

  // verifies: HDR-06, TASK-47
  it.effect("compare the name in the header", () =>
    Effect.gen(function* () {
      const request = {
        jsonrpc: "2.0",
        id: 1,
        method: "tasks/get",
        params: modern({ taskId: "t-1" }, { "io.modelcontextprotocol/clientCapabilities": tasks })
      }
      const headers = new Map([
        ["mcp-protocol-version", "2026-07-28"],
        ["mcp-method", "tasks/get"],
        ["mcp-name", "t-2"]
      ])
      const answer = yield* send(request, { header: (name) => headers.get(name) })
      assert.deepNestedPropertyVal(answer?.body, "error.code", -32020)
      assert.strictEqual(answer?.status, 400)
    }).pipe(Effect.provide(serving("always", Effect.succeed("done"))))
  )
})

describe("the time of a task", () => {
  // verifies: TASK-41, TASK-42, TASK-43, P-76, P-77
  it.effect("ends its work, which is told for a while, and then nothing is", () =>
    Effect.gen(function* () {
      const work = yield* steps
      yield* Effect.gen(function* () {
        const { result, taskId } = yield* call("t")
        assert.strictEqual(result["ttlMs"], 60_000)
        yield* work.begun
        yield* TestClock.adjust("59999 millis")
        assert.strictEqual((yield* get(taskId)).taskStatus, "working")
        yield* TestClock.adjust("1 millis")
        yield* work.interrupted
        yield* settle
        const over = yield* get(taskId)
        assert.strictEqual(over.taskStatus, "failed")
        assert.deepStrictEqual(over.result["error"], {
          code: -32603,
          message: "The task did not end within its time to live"
        })
        assert.strictEqual(over.result["ttlMs"], 65_000)
        yield* TestClock.adjust("4999 millis")
        assert.strictEqual((yield* get(taskId)).taskStatus, "failed")
        yield* TestClock.adjust("1 millis")
        assert.strictEqual((yield* get(taskId)).error?.code, -32602)
      }).pipe(Effect.provide(serving("always", work.handler, { ttl: "1 minute", keep: "5 seconds" })))
    })
  )

  it.effect("is kept in full when the work ends early", () =>
    Effect.gen(function* () {
      const { taskId } = yield* call("t")
      yield* TestClock.adjust("59999 millis")
      assert.strictEqual((yield* get(taskId)).text, "done")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* get(taskId)).error?.code, -32602)
    }).pipe(Effect.provide(serving("always", Effect.succeed("done"), { ttl: "1 minute", keep: "5 seconds" })))
  )

  it.effect("may be without an end", () =>
    Effect.gen(function* () {
      const { result, taskId } = yield* call("t")
      assert.strictEqual(result["ttlMs"], null)
      yield* TestClock.adjust("1000 days")
      assert.strictEqual((yield* get(taskId)).text, "done")
    }).pipe(Effect.provide(serving("always", Effect.succeed("done"), { ttl: Duration.infinity })))
  )
})

describe("the end of the server", () => {
  it.effect("waits for what a task releases, and leaves a cancelled one cancelled", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const cleaned = yield* Deferred.make<void>()
      const handler = Deferred.succeed(begun, undefined).pipe(
        Effect.zipRight(Effect.never),
        Effect.ensuring(Deferred.await(cleaned))
      )
      const texts = new Map<string, string>()
      const store = Layer.effect(
        TaskStore.TaskStore,
        Effect.orDie(TaskStore.fromDriver(TaskStore.memoryDriver(texts)))
      )
      const scope = yield* Scope.make()
      const server = yield* Layer.buildWithScope(serving("always", handler, { store }), scope)
      yield* Effect.gen(function* () {
        const { taskId } = yield* call("t")
        yield* Deferred.await(begun)
        yield* cancel(taskId)
        const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
        yield* settle
        assert.isNull(closing.unsafePoll())
        yield* Deferred.succeed(cleaned, undefined)
        yield* Fiber.join(closing)
        assert.deepStrictEqual(
          Array.from(texts.values(), (text) => JSON.parse(text).task.status),
          ["cancelled"]
        )
      }).pipe(Effect.provide(server))
    })
  )

  it.effect("interrupts what runs and leaves a record that says so", () =>
    Effect.gen(function* () {
      const work = yield* steps
      const texts = new Map<string, string>()
      const open = Effect.orDie(TaskStore.fromDriver(TaskStore.memoryDriver(texts)))
      const scope = yield* Scope.make()
      const store = Layer.effect(TaskStore.TaskStore, open)
      const server = yield* Layer.buildWithScope(serving("always", work.handler, { store }), scope)
      const { taskId } = yield* Effect.provide(call("t"), server)
      yield* work.begun
      yield* Scope.close(scope, Exit.void)
      yield* work.interrupted
      const kept = yield* (yield* open).find(taskId)
      assert.strictEqual(kept?.task.status, "failed")
      assert.strictEqual(kept?.task.statusMessage, "The server was stopped, and the task's work with it")
    })
  )
})
