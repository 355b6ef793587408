// The official SDK's server with the tools of the bench.
import { McpServer } from "@modelcontextprotocol/server"
import * as z from "zod/v4"
import { called, echo, fillerDescription, fillers, nextTurn } from "../../contenders/control.mjs"

const input = z.object({ message: z.string(), times: z.int() })
const steps = z.object({ steps: z.int() })
const measured = z.object({ text: z.string() })

const text = (value) => ({ content: [{ type: "text", text: value }] })

const reportSteps = async (total, ctx, pause) => {
  const { progressToken } = ctx.mcpReq._meta
  for (let progress = 1; progress <= total; progress++) {
    const told = ctx.mcpReq.notify({
      method: "notifications/progress",
      params: { progressToken, progress, total }
    })
    if (pause) {
      await told
      await nextTurn()
    }
  }
  return text("done")
}

/** @param {{ tools?: number }} settings */
export const make = ({ tools = 4 }) => {
  const server = new McpServer({ name: "bench", version: "1.0.0" })
  server.registerTool("echo", { description: called.echo, inputSchema: input }, async (args) =>
    text(echo(args))
  )
  server.registerTool(
    "progress",
    { description: called.progress, inputSchema: steps },
    ({ steps: total }, ctx) => reportSteps(total, ctx, true)
  )
  server.registerTool("burst", { description: called.burst, inputSchema: steps }, ({ steps: total }, ctx) =>
    reportSteps(total, ctx, false)
  )
  server.registerTool("measure", { description: called.measure, inputSchema: measured }, async (args) =>
    text(String(args.text.length))
  )
  for (const name of fillers(tools)) {
    const config = { description: fillerDescription(name), inputSchema: input }
    server.registerTool(name, config, async (args) => text(echo(args)))
  }
  return server
}
