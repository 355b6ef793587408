/** Tools whose calls become tasks, for clients that can follow one. */
import * as Ask from "@pushbutton/server/Ask"
import * as Tasks from "@pushbutton/server/Tasks"
import * as Tool from "@pushbutton/server/Tool"
import * as ToolResult from "@pushbutton/server/ToolResult"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const nothing = Schema.Struct({})

export const greet = Tool.make("greet", {
  description: "Greets at once, never as a task",
  input: Schema.Struct({ name: Schema.String }),
  handler: ({ name }) => Effect.succeed(`Hello, ${name}!`)
})

export const slowCompute = Tool.make("slow_compute", {
  description: "Takes some seconds",
  task: "always",
  input: Schema.Struct({
    seconds: Schema.Number.pipe(Schema.between(0, 3600)),
    label: Schema.optional(Schema.String)
  }),
  handler: ({ label = "work", seconds }) =>
    Effect.as(Effect.sleep(Duration.seconds(seconds)), `Computed ${label} for ${seconds} s.`)
})

export const failingJob = Tool.make("failing_job", {
  description: "Fails, and can only be run as a task",
  task: { required: true },
  input: nothing,
  handler: () => Effect.succeed(ToolResult.error("This job always fails."))
})

export const protocolErrorJob = Tool.make("protocol_error_job", {
  description: "Breaks, so that its task fails with an error of the protocol",
  task: "always",
  input: nothing,
  handler: () => Effect.dieMessage("This job is broken.")
})

export const confirmDelete = Tool.make("confirm_delete", {
  description: "Asks before it would delete a file",
  task: "always",
  input: Schema.Struct({ filename: Schema.String }),
  handler: ({ filename }) =>
    Effect.map(
      Ask.orFail(
        Ask.form("confirm", {
          message: `Delete ${filename}?`,
          schema: Schema.Struct({ confirm: Schema.Boolean })
        })
      ),
      ({ confirm }) => (confirm ? `Deleted ${filename}.` : `Kept ${filename}.`)
    )
})

const either = Schema.Struct({
  name: Schema.optional(Schema.String),
  confirm: Schema.optional(Schema.Boolean)
})

export const multiInput = Tool.make("multi_input", {
  description: "Asks two questions at once, which may be answered one by one",
  task: "always",
  input: nothing,
  handler: () =>
    Effect.map(
      Ask.all({
        name: Ask.form("name", { message: "What is your name?", schema: either }),
        confirm: Ask.form("confirm", { message: "Are you sure?", schema: either })
      }),
      ({ confirm, name }) => `name: ${name._tag}, confirm: ${confirm._tag}`
    )
})

export const askThenTask = Tool.make("test_tool_with_task", {
  description: "Asks for a name before it becomes a task",
  task: "detach",
  input: nothing,
  handler: () =>
    Effect.gen(function* () {
      const { name } = yield* Ask.orFail(
        Ask.form("user_name", {
          message: "What is your name?",
          schema: Schema.Struct({ name: Schema.String })
        })
      )
      const isTask = yield* Tasks.detach
      return `Hello, ${name}! This ${isTask ? "is" : "is not"} a task.`
    })
})
