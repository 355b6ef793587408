/** The MCP server that the binary is, without a transport. */
import * as ButtonTools from "@pushbutton/buttons/ButtonTools"
import type { DataDir } from "@pushbutton/buttons/DataDir"
import * as DefinitionsServer from "@pushbutton/buttons/definitions/DefinitionsServer"
import * as TaskFiles from "@pushbutton/buttons/TaskFiles"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Buttons from "./Buttons.js"
import type { Offering } from "./Offering.js"
import { version } from "./Version.js"

export interface Options extends Offering {
  /** Whether clients that begin with `initialize` are refused. */
  readonly modernOnly: boolean
}

const instructions: Readonly<Record<Offering["mode"], string>> = {
  meta: "Buttons are vetted actions. Call buttons_list to see them, buttons_press to press one, buttons_inspect for how one went.",
  tools: "Buttons are vetted actions, and each of them is a tool. Call buttons_inspect for how one went."
}

/** Longer than any button takes, so that its own time is what ends it. */
const taskTtl = Duration.hours(25)
/** Each may hold what a press has said. */
const maxTasks = 2_000

const identity = ({ mode, modernOnly }: Options, dataDir: DataDir) =>
  McpServer.layer({
    name: "pushbutton",
    title: "Pushbutton",
    version,
    instructions: instructions[mode],
    revisions: modernOnly ? "modern" : "all",
    tasks: { ttl: taskTtl, store: TaskFiles.layerDataDir(dataDir, { max: maxTasks }) }
  })

/** For as long as the scope lives. In few layers, since each costs a start some hundred microseconds. */
export const make = Effect.fnUntraced(function* (options: Options, dataDir: DataDir) {
  const server = yield* Layer.build(identity(options, dataDir))
  yield* Effect.provide(offer(options), server)
  return server
})

const offer = ({ allowCreate, enableCreated, mode, taskAfterSeconds }: Options) =>
  Effect.all(
    [
      ButtonTools.offer({
        mode,
        outputs: (schema) =>
          Effect.promise(() => import("./outputs.js").then(({ validator }) => validator(schema))),
        taskAfter: taskAfterSeconds === undefined ? undefined : Duration.seconds(taskAfterSeconds)
      }),
      allowCreate ? ButtonTools.offerCreate(enableCreated ? "enabled" : "hidden") : Effect.void,
      DefinitionsServer.offer
    ],
    { discard: true }
  )

export type Needs = Buttons.Services
