import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as Task from "@pushbutton/protocol/Task"
import * as TaskMessage from "@pushbutton/protocol/TaskMessage"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import { jsonObject, jsonValue, objectWith } from "./arbitraries/json.js"

const identity = { name: "test", version: "1" }

const facts: Task.Facts = {
  taskId: "t-1",
  createdAt: 1000,
  lastUpdatedAt: 1000,
  ttlMs: 60_000,
  pollIntervalMs: 500,
  issued: []
}

const question = {
  method: "elicitation/create",
  params: { mode: "form", message: "Sure?", requestedSchema: { type: "object", properties: {} } }
}

const working: Task.Task = { ...facts, status: "working" }
const asking: Task.Task = {
  ...facts,
  status: "input_required",
  inputRequests: { a: question, b: question },
  issued: ["a", "b"]
}
const completed: Task.Task = {
  ...facts,
  status: "completed",
  result: { resultType: "complete", content: [] }
}
const failed: Task.Task = { ...facts, status: "failed", error: { code: -32603, message: "No" } }
const cancelled: Task.Task = { ...facts, status: "cancelled" }
const everyTask = [working, asking, completed, failed, cancelled]

const key = fc.constantFrom("a", "b", "c", "__proto__", "constructor")

const event: fc.Arbitrary<Task.Event> = fc.oneof(
  fc.array(key).map(
    (keys): Task.Event => ({
      _tag: "Asked",
      requests: Object.fromEntries(keys.map((one) => [one, question]))
    })
  ),
  fc.array(key).map((keys): Task.Event => ({ _tag: "Closed", keys })),
  fc.string().map((message): Task.Event => ({ _tag: "Told", message })),
  fc.constant<Task.Event>({ _tag: "Completed", result: { content: [] } }),
  fc.constant<Task.Event>({ _tag: "Failed", error: { code: -32603, message: "No" } }),
  fc.constant<Task.Event>({ _tag: "Cancelled", message: "Enough" })
)

const events = fc.array(fc.tuple(event, fc.nat()), { maxLength: 30 })

describe("Task.step", () => {
  // verifies: TASK-13, P-77
  it.prop("never leaves the table", [events], ([list]) => {
    let task: Task.Task = working
    for (const [next, at] of list) {
      const after = Task.step(task, next, at)
      if (after !== task) {
        const allowed = Task.transitions[task.status][next._tag] ?? []
        assert.include(allowed, after.status)
      }
      task = after
    }
  })

  it.prop(
    "leaves what is over as it is",
    [fc.constantFrom(completed, failed, cancelled), event],
    ([task, next]) => {
      assert.strictEqual(Task.step(task, next, 5000), task)
    }
  )

  it("drops a question whose key was used before, and keeps the others", () => {
    const answered = Task.step(asking, { _tag: "Closed", keys: ["a", "b"] }, 2000)
    assert.strictEqual(Task.step(answered, { _tag: "Asked", requests: { a: question } }, 3000), answered)
    const again = Task.step(answered, { _tag: "Asked", requests: { a: question, c: question } }, 3000)
    assert.deepStrictEqual(Task.openRequests(again), { c: question })
  })

  // verifies: TASK-22, TASK-23
  it.prop("never asks twice under one key", [events], ([list]) => {
    let task: Task.Task = working
    const asked: Array<string> = []
    for (const [next, at] of list) {
      const before = Object.keys(Task.openRequests(task))
      task = Task.step(task, next, at)
      asked.push(...Object.keys(Task.openRequests(task)).filter((one) => !before.includes(one)))
      assert.isFalse(task.issued.includes(Task.freshKey(task, "a")))
    }
    assert.strictEqual(new Set(asked).size, asked.length)
  })

  it.prop("is input_required exactly while a question is open, and gets no younger", [events], ([list]) => {
    let task: Task.Task = working
    for (const [next, at] of list) {
      const after = Task.step(task, next, at)
      assert.isAtLeast(after.lastUpdatedAt, task.lastUpdatedAt)
      task = after
      assert.strictEqual(task.status === "input_required", Object.keys(Task.openRequests(task)).length > 0)
    }
  })

  it("keeps the questions that are still open", () => {
    const after = Task.step(asking, { _tag: "Closed", keys: ["a", "unknown"] }, 2000)
    assert.deepStrictEqual(after, {
      ...facts,
      status: "input_required",
      inputRequests: { b: question },
      issued: ["a", "b"],
      lastUpdatedAt: 2000
    })
  })

  it("drops what was told of the work when it ends", () => {
    const told = Task.step(working, { _tag: "Told", message: "half" }, 2000)
    assert.strictEqual(told.statusMessage, "half")
    const over = Task.step(told, { _tag: "Completed", result: {} }, 3000)
    assert.isUndefined(over.statusMessage)
  })

  // verifies: TASK-21
  it("tells the error's message as the status message", () => {
    const after = Task.step(working, { _tag: "Failed", error: { code: -32603, message: "Why" } }, 2000)
    assert.strictEqual(after.statusMessage, "Why")
  })
})

describe("Task.keptUntil", () => {
  it("never shortens a promise, and changes nothing that lasts for ever", () => {
    assert.strictEqual(Task.keptUntil(working, 2000).ttlMs, 60_000)
    assert.strictEqual(Task.keptUntil(working, 1000 + 60_001.5).ttlMs, 60_002)
    const eternal: Task.Task = { ...working, ttlMs: null }
    assert.strictEqual(Task.keptUntil(eternal, 9e9).ttlMs, null)
  })
})

describe("the messages about a task", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(
    JSON.parse(readFileSync(new URL("./fixtures/ext-tasks.json", import.meta.url), "utf8")),
    "ext-tasks"
  )
  const check = (name: string, value: unknown) => {
    const validate = ajv.getSchema(`ext-tasks#/$defs/${name}`)
    assert.isTrue(validate?.(JSON.parse(JSON.stringify(value))), JSON.stringify(validate?.errors))
  }

  for (const task of everyTask) {
    // verifies: TASK-07
    it(`fit the published schema when ${task.status}`, () => {
      check("CreateTaskResult", TaskMessage.created(task, identity))
      check("DetailedTask", TaskMessage.detailed(task))
      check("TaskStatusNotification", { jsonrpc: "2.0", ...TaskMessage.notice(task) })
    })
  }

  // verifies: TASK-25, TASK-29, TASK-19
  it("acknowledge with a result type and who answers, and nothing else", () => {
    const acknowledged = TaskMessage.acknowledged(identity)
    check("UpdateTaskResult", acknowledged)
    check("CancelTaskResult", acknowledged)
    assert.deepStrictEqual(acknowledged, {
      resultType: "complete",
      _meta: { "io.modelcontextprotocol/serverInfo": identity }
    })
  })

  // verifies: TASK-07, TASK-09
  it("are flat in a handle, which tells nothing of result, error or questions", () => {
    for (const task of everyTask) {
      assert.deepStrictEqual(TaskMessage.created(task, identity), {
        resultType: "task",
        taskId: "t-1",
        status: task.status,
        createdAt: "1970-01-01T00:00:01.000Z",
        lastUpdatedAt: "1970-01-01T00:00:01.000Z",
        ttlMs: 60_000,
        pollIntervalMs: 500,
        _meta: { "io.modelcontextprotocol/serverInfo": identity }
      })
    }
  })

  // verifies: TASK-08, TASK-19, TASK-16, TASK-38
  it("are complete in a poll, of whatever result type the task's own result is", () => {
    const members = {
      taskId: "t-1",
      status: "completed",
      createdAt: "1970-01-01T00:00:01.000Z",
      lastUpdatedAt: "1970-01-01T00:00:01.000Z",
      ttlMs: 60_000,
      pollIntervalMs: 500,
      result: { resultType: "complete", content: [] }
    }
    assert.deepStrictEqual(TaskMessage.got(completed, identity), {
      resultType: "complete",
      ...members,
      _meta: { "io.modelcontextprotocol/serverInfo": identity }
    })
    assert.deepStrictEqual(TaskMessage.notice(completed), { method: "notifications/tasks", params: members })
  })

  it("name the time to live even where there is none", () => {
    const eternal: Task.Task = { ...working, ttlMs: null }
    assert.strictEqual(TaskMessage.created(eternal, identity)["ttlMs"], null)
  })
})

describe("Task.needs", () => {
  it("is what the open questions take of the client", () => {
    const url = { method: "elicitation/create", params: { mode: "url", message: "Go", url: "https://x" } }
    const sampling = { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } }
    const task: Task.Task = {
      ...facts,
      status: "input_required",
      inputRequests: { a: question, b: url, c: sampling, d: { method: "roots/list" } }
    }
    assert.deepStrictEqual(Task.needs(task), { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} })
    assert.deepStrictEqual(Task.needs(working), {})
  })

  it("includes tools where the model may use them, beside questions without", () => {
    const plain = { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } }
    for (const more of [{ tools: [] }, { toolChoice: { mode: "none" } }]) {
      const using = { ...plain, params: { ...plain.params, ...more } }
      const inputRequests = { a: using, b: plain, c: { method: "x" }, d: 1 }
      const task: Task.Task = { ...facts, status: "input_required", inputRequests }
      assert.deepStrictEqual(Task.needs(task), { sampling: { tools: {} } })
    }
  })
})

describe("TaskMessage.isDeclared", () => {
  const rows: ReadonlyArray<readonly [JsonObject, boolean]> = [
    [{ extensions: { "io.modelcontextprotocol/tasks": {} } }, true],
    [{ extensions: { "io.modelcontextprotocol/tasks": { later: 1 } } }, true],
    [{ extensions: { "io.modelcontextprotocol/tasks": true } }, false],
    [{ extensions: {} }, false],
    [{ tasks: { requests: { tools: { call: {} } } } }, false],
    [{}, false]
  ]
  for (const [declared, expected] of rows) {
    it(`is ${expected} of ${JSON.stringify(declared)}`, () => {
      assert.strictEqual(TaskMessage.isDeclared(declared), expected)
    })
  }
})

describe("the params about a task", () => {
  const detailOf = (decoded: Either.Either<unknown, { readonly detail: string }>) =>
    Either.isLeft(decoded) ? decoded.left.detail : undefined

  it("have to name it by a string", () => {
    assert.deepStrictEqual(TaskMessage.decodeTaskId({ taskId: "", extra: 1 }), Either.right(""))
    assert.strictEqual(detailOf(TaskMessage.decodeTaskId({})), "params.taskId is missing")
    assert.strictEqual(detailOf(TaskMessage.decodeTaskId({ taskId: 1 })), "params.taskId must be a string")
  })

  // verifies: TASK-24
  it("have to hold responses by key in an update", () => {
    const params = { taskId: "t", inputResponses: { any: [1] } }
    assert.deepStrictEqual(TaskMessage.decodeUpdate(params), Either.right(params))
    assert.strictEqual(
      detailOf(TaskMessage.decodeUpdate({ taskId: "t" })),
      "params.inputResponses is missing"
    )
    assert.strictEqual(
      detailOf(TaskMessage.decodeUpdate({ taskId: "t", inputResponses: [] })),
      "params.inputResponses must be an object"
    )
  })

  it("may name several in a subscription, each once", () => {
    assert.deepStrictEqual(TaskMessage.decodeTaskIds(["a", "b", "a"]), Either.right(["a", "b"]))
    assert.strictEqual(
      detailOf(TaskMessage.decodeTaskIds("a")),
      "params.notifications.taskIds must be an array"
    )
  })

  it.prop(
    "are read totally",
    [objectWith({ taskId: fc.string(), inputResponses: jsonObject }), jsonValue],
    ([params, ids]) => {
      assert.isTrue(Either.isEither(TaskMessage.decodeTaskId(params)))
      assert.isTrue(Either.isEither(TaskMessage.decodeUpdate(params)))
      assert.isTrue(Either.isEither(TaskMessage.decodeTaskIds(ids)))
    }
  )
})
