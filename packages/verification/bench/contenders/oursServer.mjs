// Our server with the tools of the bench, without a transport.
import * as McpServer from "@pushbutton/server/McpServer"
import * as Progress from "@pushbutton/server/Progress"
import * as Tool from "@pushbutton/server/Tool"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { called, echo, fillerDescription, fillers } from "./control.mjs"

const input = Schema.Struct({ message: Schema.String, times: Schema.Int })
const steps = Schema.Struct({ steps: Schema.Int })

/** @type {Effect.Effect<void>} */
const nextTurn = Effect.async((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** @param {number} total @param {Effect.Effect<void>} pause */
const reportSteps = (total, pause) =>
  Effect.gen(function* () {
    for (let progress = 1; progress <= total; progress++) {
      yield* Progress.report({ progress, total })
      yield* pause
    }
    return "done"
  })

/** A handler that has its answer at once, and one that has it when it is run. */
const echoes = {
  atOnce: Tool.make("echo", {
    description: called.echo,
    input,
    handler: (args) => Effect.succeed(echo(args))
  }),
  inFiber: Tool.make("echo", {
    description: called.echo,
    input,
    handler: (args) => Effect.sync(() => echo(args))
  })
}

const tools = [
  Tool.make("progress", {
    description: called.progress,
    input: steps,
    handler: ({ steps: total }) => reportSteps(total, nextTurn)
  }),
  Tool.make("burst", {
    description: called.burst,
    input: steps,
    handler: ({ steps: total }) => reportSteps(total, Effect.void)
  }),
  Tool.make("measure", {
    description: called.measure,
    input: Schema.Struct({ text: Schema.String }),
    handler: ({ text }) => Effect.succeed(String(text.length))
  })
]

/** @param {string} name */
export const filler = (name) =>
  Tool.make(name, {
    description: fillerDescription(name),
    input,
    handler: (args) => Effect.succeed(echo(args))
  })

/** @type {Readonly<Record<string, Partial<McpServer.Options>>>} */
const features = {
  tracing: { tracing: true },
  logging: { logging: true }
}

const takesFiber = new Set(["fiber", "tracing", "logging", "no-metrics"])

/** @param {import("./control.mjs").Settings} settings */
export const layer = ({ feature = "", tools: count = 4 }) =>
  Layer.provideMerge(
    McpServer.tools(
      takesFiber.has(feature) ? echoes.inFiber : echoes.atOnce,
      ...tools,
      ...fillers(count).map(filler)
    ),
    McpServer.layer({
      name: "bench",
      version: "1.0.0",
      // All of them on one page, as the others serve them.
      pageSize: 100_000,
      ...features[feature]
    })
  )
