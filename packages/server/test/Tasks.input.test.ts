import { assert, describe, it } from "@effect/vitest"
import * as JsonRpc from "@pushbutton/protocol/JsonRpc"
import * as Ask from "@pushbutton/server/Ask"
import { Dispatcher } from "@pushbutton/server/Dispatcher"
import * as McpServer from "@pushbutton/server/McpServer"
import type { RequestContext } from "@pushbutton/server/RequestContext"
import type { TaskMode } from "@pushbutton/server/TaskMode"
import * as TaskStore from "@pushbutton/server/TaskStore"
import * as Tasks from "@pushbutton/server/Tasks"
import * as Tool from "@pushbutton/server/Tool"
import * as TaskStoreContract from "@pushbutton/server/testing/taskStoreContract"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import { modern } from "./support/conversation.js"
import { quiet } from "./support/logs.js"
import { subscribe } from "./support/subscriber.js"
import { ask, call, cancel, get, tasks, update } from "./support/taskClient.js"

const everything = { ...tasks, elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} }
const asking = { capabilities: everything }

const serving = (
  task: TaskMode,
  handler: Effect.Effect<string, unknown, RequestContext>,
  options: McpServer.TasksOptions = {}
) =>
  Layer.provideMerge(
    McpServer.tools(Tool.make("t", { input: Schema.Struct({}), task, handler: () => handler })),
    McpServer.layer({ name: "test", version: "1", tasks: options })
  ).pipe(Layer.provideMerge(quiet))

const settle = TestClock.adjust(0)

const named = (key: string) =>
  Ask.form(key, { message: "Who are you?", schema: Schema.Struct({ name: Schema.String }) })

const request = {
  method: "elicitation/create",
  params: {
    mode: "form",
    message: "Who are you?",
    requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] }
  }
}

const accept = (name: string) => ({ action: "accept", content: { name } })

const nameOf = (outcome: Ask.Outcome<{ readonly name: string }>) =>
  outcome._tag === "Accepted" ? outcome.content.name : outcome._tag

describe("an ask in a task", () => {
  // verifies: TASK-15, TASK-19, TASK-25, TASK-27
  it.effect("is told in the task, and goes on with the answer", () =>
    Effect.gen(function* () {
      const { resultType, taskId } = yield* call("t", asking)
      assert.strictEqual(resultType, "task")
      yield* settle
      const polled = yield* get(taskId, asking)
      assert.strictEqual(polled.taskStatus, "input_required")
      assert.deepStrictEqual(polled.inputRequests, { name: request })
      assert.notProperty(polled.result, "requestState")
      const acknowledged = yield* update(taskId, { name: accept("Ann"), other: 1 }, asking)
      assert.deepStrictEqual(acknowledged.result, {
        resultType: "complete",
        _meta: { "io.modelcontextprotocol/serverInfo": { name: "test", version: "1" } }
      })
      yield* settle
      const done = yield* get(taskId, asking)
      assert.deepStrictEqual([done.taskStatus, done.text], ["completed", "Ann"])
      assert.isUndefined(done.inputRequests)
      assert.deepStrictEqual(
        (yield* update(taskId, { name: accept("Ben") }, asking)).result,
        acknowledged.result
      )
    }).pipe(Effect.provide(serving("always", Effect.map(named("name"), nameOf))))
  )

  // verifies: TASK-15, TASK-27, TASK-28
  it.effect("waits for every answer, which may come one by one", () =>
    Effect.gen(function* () {
      const { taskId } = yield* call("t", asking)
      yield* settle
      assert.deepStrictEqual((yield* get(taskId, asking)).inputRequests, { one: request, other: request })
      yield* update(taskId, { other: accept("Ben") }, asking)
      yield* settle
      const half = yield* get(taskId, asking)
      assert.deepStrictEqual([half.taskStatus, half.inputRequests], ["input_required", { one: request }])
      yield* update(taskId, { other: accept("Zoe"), one: accept("Ann") }, asking)
      yield* settle
      assert.strictEqual((yield* get(taskId, asking)).text, "Ann, Ben")
    }).pipe(
      Effect.provide(
        serving(
          "always",
          Effect.map(
            Ask.all({ one: named("one"), other: named("other") }),
            ({ one, other }) => `${nameOf(one)}, ${nameOf(other)}`
          )
        )
      )
    )
  )

  it.effect("stays open when what comes is no answer", () =>
    Effect.gen(function* () {
      const { taskId } = yield* call("t", asking)
      yield* settle
      const { error } = yield* update(taskId, { name: { action: "accept", content: { name: 7 } } }, asking)
      assert.strictEqual(error?.code, -32602)
      assert.include(error?.message, 'params.inputResponses["name"] is no answer:')
      assert.deepStrictEqual((yield* get(taskId, asking)).inputRequests, { name: request })
    }).pipe(Effect.provide(serving("always", Effect.map(named("name"), nameOf))))
  )

  // verifies: TASK-22, TASK-23
  it.effect("gets another key when its question is put again", () =>
    Effect.gen(function* () {
      const { taskId } = yield* call("t", asking)
      yield* settle
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual((yield* get(taskId, asking)).inputRequests, { "name-2": request })
      yield* update(taskId, { name: accept("late"), "name-2": accept("Ann") }, asking)
      yield* settle
      assert.strictEqual((yield* get(taskId, asking)).text, "Ann")
    }).pipe(
      Effect.provide(
        serving(
          "always",
          Effect.flatMap(Effect.timeoutOption(named("name"), "1 minute"), () =>
            Effect.map(named("name"), nameOf)
          )
        )
      )
    )
  )

  it.effect("stays open for whoever else waits for it", () =>
    Effect.gen(function* () {
      const { taskId } = yield* call("t", asking)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual((yield* get(taskId, asking)).inputRequests, { name: request })
      yield* update(taskId, { name: accept("Ann") }, asking)
      yield* settle
      assert.strictEqual((yield* get(taskId, asking)).text, "Ann")
    }).pipe(
      Effect.provide(
        serving(
          "always",
          Effect.map(
            Effect.all([Effect.timeoutOption(named("name"), "1 minute"), named("name")], { concurrency: 2 }),
            ([, outcome]) => nameOf(outcome)
          )
        )
      )
    )
  )

  it.effect("fails the task when its key has asked something else", () =>
    Effect.gen(function* () {
      const { taskId } = yield* call("t", asking)
      yield* settle
      yield* update(taskId, { name: accept("Ann") }, asking)
      yield* settle
      assert.deepNestedPropertyVal((yield* get(taskId, asking)).result, "error.code", -32603)
    }).pipe(
      Effect.provide(
        serving(
          "always",
          Effect.zipRight(
            named("name"),
            Effect.as(Ask.form("name", { message: "Sure?", schema: Schema.Struct({}) }), "went on")
          )
        )
      )
    )
  )

  it.effect("resolves at once when it has been answered", () =>
    Effect.gen(function* () {
      const { taskId } = yield* call("t", asking)
      yield* settle
      yield* update(taskId, { name: accept("Ann") }, asking)
      yield* settle
      assert.strictEqual((yield* get(taskId, asking)).text, "Ann Ann")
    }).pipe(
      Effect.provide(
        serving(
          "always",
          Effect.map(Effect.all([named("name"), named("name")]), (both) => both.map(nameOf).join(" "))
        )
      )
    )
  )

  it.effect("fails the task when the call declared no way to ask", () =>
    Effect.gen(function* () {
      const { taskId } = yield* call("t")
      yield* settle
      const failed = yield* get(taskId)
      assert.strictEqual(failed.taskStatus, "failed")
      assert.deepNestedInclude(failed.result, {
        "error.code": -32021,
        "error.data": { requiredCapabilities: { elicitation: { form: {} } } }
      })
    }).pipe(
      Effect.provide(
        serving(
          "always",
          Effect.catchAllCause(named("name"), () => Effect.succeed("swallowed")).pipe(Effect.as("went on"))
        )
      )
    )
  )

  it.effect("is not shown to a poll that declares no way to ask", () =>
    Effect.gen(function* () {
      const { taskId } = yield* call("t", asking)
      yield* settle
      const { error, status } = yield* get(taskId)
      assert.deepStrictEqual([status, error?.code], [400, -32021])
      assert.deepStrictEqual(error?.data, { requiredCapabilities: { elicitation: { form: {} } } })
    }).pipe(Effect.provide(serving("always", Effect.map(named("name"), nameOf))))
  )

  it.effect("ends with the task that is cancelled", () =>
    Effect.gen(function* () {
      const { taskId } = yield* call("t", asking)
      yield* settle
      yield* cancel(taskId, asking)
      yield* settle
      const over = yield* get(taskId, asking)
      assert.deepStrictEqual([over.taskStatus, over.inputRequests], ["cancelled", undefined])
    }).pipe(Effect.provide(serving("always", Effect.map(named("name"), nameOf))))
  )
})

describe("Tasks.detach", () => {
  const handler = Effect.gen(function* () {
    const first = nameOf(yield* named("first"))
    const isTask = yield* Tasks.detach
    const second = nameOf(yield* named("second"))
    return `${first} ${second} ${isTask}`
  })

  // verifies: TASK-12
  it.effect("lets a handler ask in rounds first, and in the task after it", () =>
    Effect.gen(function* () {
      const first = yield* call("t", asking)
      assert.strictEqual(first.resultType, "input_required")
      assert.deepStrictEqual(first.inputRequests, { first: request })
      assert.isUndefined(first.taskId)
      const handle = yield* call("t", {
        ...asking,
        params: { inputResponses: { first: accept("Ann") }, requestState: first.requestState }
      })
      assert.strictEqual(handle.resultType, "task")
      assert.notProperty(handle.result, "requestState")
      yield* settle
      assert.deepStrictEqual((yield* get(handle.taskId, asking)).inputRequests, { second: request })
      yield* update(handle.taskId, { second: accept("Ben") }, asking)
      yield* settle
      assert.strictEqual((yield* get(handle.taskId, asking)).text, "Ann Ben true")
    }).pipe(Effect.provide(serving("detach", handler)))
  )

  it.effect("is nothing to a client that cannot follow a task", () =>
    Effect.gen(function* () {
      const plain = { capabilities: { ...everything, extensions: {} } }
      const first = yield* call("t", plain)
      const second = yield* call("t", {
        ...plain,
        params: { inputResponses: { first: accept("Ann") }, requestState: first.requestState }
      })
      assert.strictEqual(second.resultType, "input_required")
      const last = yield* call("t", {
        ...plain,
        params: { inputResponses: { second: accept("Ben") }, requestState: second.requestState }
      })
      assert.deepStrictEqual([last.resultType, last.text], ["complete", "Ann Ben false"])
    }).pipe(Effect.provide(serving("detach", handler)))
  )

  it.effect("comes before the time of a tool that has one, and once is enough", () =>
    Effect.gen(function* () {
      const { resultType, taskId } = yield* call("t")
      assert.strictEqual(resultType, "task")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* get(taskId)).text, "true true")
    }).pipe(
      Effect.provide(
        serving(
          { after: "10 seconds" },
          Effect.zipLeft(
            Effect.map(Effect.all([Tasks.detach, Tasks.detach]), (both) => both.join(" ")),
            Effect.sleep("30 seconds")
          )
        )
      )
    )
  )

  it.effect("is false in a tool whose calls never become tasks", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* call("t")).text, "false")
    }).pipe(Effect.provide(serving("never", Effect.map(Tasks.detach, String))))
  )
})

describe("an ask of a call that may become a task", () => {
  it.effect("goes out in rounds while it is none", () =>
    Effect.gen(function* () {
      const calling = yield* Effect.fork(call("t", asking))
      yield* TestClock.adjust("10 seconds")
      const { inputRequests, resultType } = yield* Fiber.join(calling)
      assert.deepStrictEqual([resultType, inputRequests], ["input_required", { name: request }])
    }).pipe(
      Effect.provide(
        serving({ after: "10 seconds" }, Effect.map(Effect.delay(named("name"), "9 seconds"), nameOf))
      )
    )
  )

  it.effect("goes out in rounds also when the time comes while the handler is being left", () =>
    Effect.gen(function* () {
      const released = yield* Deferred.make<void>()
      const slow = Effect.ensuring(
        named("name"),
        Effect.delay(Deferred.succeed(released, undefined), "1 minute")
      )
      yield* Effect.gen(function* () {
        const calling = yield* Effect.fork(call("t", asking))
        yield* TestClock.adjust("1 minute")
        yield* Deferred.await(released)
        assert.strictEqual((yield* Fiber.join(calling)).resultType, "input_required")
      }).pipe(Effect.provide(serving({ after: "10 seconds" }, Effect.map(slow, nameOf))))
    })
  )
})

describe("a subscription that names tasks", () => {
  const listen = Effect.fnUntraced(function* (
    taskIds: unknown,
    capabilities: object = everything,
    principal?: string
  ) {
    const dispatcher = yield* Dispatcher
    const params = modern(
      { notifications: { taskIds } },
      { "io.modelcontextprotocol/clientCapabilities": capabilities }
    )
    const message = { jsonrpc: "2.0", id: 9, method: "subscriptions/listen", params }
    return dispatcher.decide(JsonRpc.decode(JSON.stringify(message)), {
      header: undefined,
      session: undefined,
      principal
    })
  })

  // verifies: TASK-37, TASK-38
  it.effect("is told each task as a poll would get it", () =>
    Effect.gen(function* () {
      const { taskId } = yield* call("t", asking)
      const decision = yield* listen([taskId, "unknown", taskId])
      if (decision._tag !== "Listen") return assert.fail(decision._tag)
      const subscriber = subscribe(decision.listen.open)
      yield* TestClock.adjust("1 second")
      const open = yield* get(taskId, asking)
      yield* update(taskId, { name: accept("Ann") }, asking)
      yield* TestClock.adjust("1 second")
      const done = yield* get(taskId, asking)
      const tagged = (result: { readonly [member: string]: unknown }) => {
        const { resultType: _, _meta: __, ...members } = result
        return { ...members, _meta: { "io.modelcontextprotocol/subscriptionId": 9 } }
      }
      assert.deepStrictEqual(
        subscriber.messages.map(({ method, params }) => [method, params]),
        [
          [
            "notifications/subscriptions/acknowledged",
            {
              notifications: { taskIds: [taskId] },
              _meta: { "io.modelcontextprotocol/subscriptionId": 9 }
            }
          ],
          ["notifications/tasks", tagged(open.result)],
          ["notifications/tasks", tagged(done.result)]
        ]
      )
    }).pipe(Effect.provide(serving("always", Effect.map(Effect.delay(named("name"), "10 millis"), nameOf))))
  )

  // verifies: TASK-46
  it.effect("is not granted for a task of another caller", () =>
    Effect.gen(function* () {
      const { taskId } = yield* call("t", { ...asking, principal: "ann" })
      const granted = Effect.fnUntraced(function* (principal: string | undefined) {
        const decision = yield* listen([taskId], everything, principal)
        if (decision._tag !== "Listen") return assert.fail(decision._tag)
        return subscribe(decision.listen.open).messages[0]?.params?.["notifications"]
      })
      assert.deepStrictEqual(yield* granted("ben"), {})
      assert.deepStrictEqual(yield* granted(undefined), {})
      assert.deepStrictEqual(yield* granted("ann"), { taskIds: [taskId] })
    }).pipe(Effect.provide(serving("always", Effect.never)))
  )

  // verifies: TASK-34
  it.effect("is refused to a client without the extension, and for what is no list of ids", () =>
    Effect.gen(function* () {
      const codeOf = (decision: Effect.Effect.Success<ReturnType<typeof listen>>) =>
        decision._tag === "Reply" ? JSON.parse(decision.reply.text).error.code : undefined
      assert.strictEqual(codeOf(yield* listen(["x"], {})), -32021)
      assert.strictEqual(codeOf(yield* listen("x")), -32602)
    }).pipe(Effect.provide(serving("always", Effect.never)))
  )

  it.effect("is not granted for a task that has ended, stored or not", () =>
    Effect.gen(function* () {
      const { driver, fail } = TaskStoreContract.breakable(TaskStore.memoryDriver(new Map()))
      const store = Layer.effect(TaskStore.TaskStore, Effect.orDie(TaskStore.fromDriver(driver)))
      yield* Effect.gen(function* () {
        const { taskId } = yield* call("t", asking)
        yield* fail
        yield* cancel(taskId, asking)
        yield* TestClock.adjust(0)
        assert.strictEqual((yield* get(taskId, asking)).taskStatus, "cancelled")
        const decision = yield* listen([taskId])
        if (decision._tag !== "Listen") return assert.fail(decision._tag)
        assert.deepStrictEqual(subscribe(decision.listen.open).messages[0]?.params?.["notifications"], {})
      }).pipe(Effect.provide(serving("always", Effect.never, { store })))
    })
  )

  it.effect("takes an empty elicitation with the call for the form mode that it means", () =>
    Effect.gen(function* () {
      const { taskId } = yield* call("t", { capabilities: { ...tasks, elicitation: {} } })
      const granted = Effect.fnUntraced(function* (elicitation: object) {
        const decision = yield* listen([taskId], { ...tasks, elicitation })
        if (decision._tag !== "Listen") return assert.fail(decision._tag)
        return subscribe(decision.listen.open).messages[0]?.params?.["notifications"]
      })
      assert.deepStrictEqual(yield* granted({ url: {} }), {})
      assert.deepStrictEqual(yield* granted({ form: {} }), { taskIds: [taskId] })
    }).pipe(Effect.provide(serving("always", Effect.never)))
  )

  it.effect("is not granted for questions that the client declares no way to be asked", () =>
    Effect.gen(function* () {
      const { taskId } = yield* call("t", asking)
      const decision = yield* listen([taskId], tasks)
      if (decision._tag !== "Listen") return assert.fail(decision._tag)
      const [acknowledged] = subscribe(decision.listen.open).messages
      assert.deepStrictEqual(acknowledged?.params?.["notifications"], {})
    }).pipe(Effect.provide(serving("always", Effect.never)))
  )

  it.effect("names a member that nobody knows where no tool has tasks", () =>
    Effect.gen(function* () {
      const decision = yield* listen(["x"], {})
      assert.strictEqual(decision._tag, "Listen")
      assert.strictEqual((yield* ask("tasks/get", { taskId: "x" })).error?.code, -32601)
    }).pipe(Effect.provide(serving("never", Effect.succeed("done"))))
  )
})
