// The server of Effect 4 with the tools of the bench.
import * as McpProtocol from "effect/ai/McpProtocol"
import * as McpServer from "effect/ai/McpServer"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { called, echo, fillerDescription, fillers } from "../../contenders/control.mjs"

const input = Schema.Struct({ message: Schema.String, times: Schema.Int })

const tool = (name, description, parameters = input) =>
  Tool.make(name, { description, parameters, success: Schema.String })

/** @param {{ tools?: number }} settings */
const registrations = ({ tools = 4 }) => {
  const names = fillers(tools)
  const toolkit = Toolkit.make(
    tool("echo", called.echo),
    tool("progress", called.progress),
    tool("burst", called.burst),
    tool("measure", called.measure, Schema.Struct({ text: Schema.String })),
    ...names.map((name) => tool(name, fillerDescription(name)))
  )
  const echoes = Object.fromEntries(
    ["echo", "progress", "burst", ...names].map((name) => [name, (args) => Effect.succeed(echo(args))])
  )
  const handlers = { ...echoes, measure: ({ text }) => Effect.succeed(String(text.length)) }
  return Layer.provide(McpServer.toolkit(toolkit), toolkit.toLayer(handlers))
}

/** @param {{ tools?: number }} settings */
export const options = (settings) => ({
  name: "bench",
  version: "1.0.0",
  protocols: [McpProtocol.v2026_07_28, McpProtocol.v2025_11_25],
  registrations: registrations(settings)
})
