/** The examples of docs/guide/tasks.md. */
import * as Ask from "@pushbutton/server/Ask"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Progress from "@pushbutton/server/Progress"
import * as Tasks from "@pushbutton/server/Tasks"
import * as Tool from "@pushbutton/server/Tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const backUp = (database: string) => Effect.as(Effect.sleep("10 minutes"), `${database}.dump`)

const Backup = Tool.make("backup", {
  input: Schema.Struct({ database: Schema.String }),
  task: "always",
  handler: ({ database }) =>
    Effect.gen(function* () {
      yield* Progress.report({ progress: 0, message: "Locking the tables" })
      return yield* backUp(database)
    })
})

const Restore = Tool.make("restore", {
  input: Schema.Struct({ dump: Schema.String }),
  task: "detach",
  handler: ({ dump }) =>
    Effect.gen(function* () {
      yield* Ask.orFail(Ask.form("sure", { message: `Overwrite with ${dump}?`, schema: Schema.Struct({}) }))
      yield* Tasks.detach
      yield* Effect.sleep("10 minutes")
      return "Restored."
    })
})

export const Tools = McpServer.tools(Backup, Restore)

export const Server = McpServer.layer({
  name: "databases",
  version: "1.0.0",
  tasks: { ttl: "2 hours", keep: "30 minutes", pollInterval: "5 seconds" }
})
