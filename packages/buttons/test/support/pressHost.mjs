// A server in small, on a folder of buttons: presses one of them, waits for it to end, and prints the result.
// Run as a process of its own: node pressHost.mjs <data folder> <button>
import { createViteServer } from "vitest/node"

const [, , root, name] = process.argv

const conditions = ["@pushbutton/source", "module", "node", "import", "default"]
const server = await createViteServer({
  configFile: false,
  root: new URL("../..", import.meta.url).pathname,
  logLevel: "error",
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  resolve: { conditions },
  ssr: { resolve: { conditions } }
})
const Buttons = await server.ssrLoadModule("/src/Buttons.ts")
const { Press } = await server.ssrLoadModule("/src/Press.ts")
const Effect = await server.ssrLoadModule("effect/Effect")
await server.close()

const dataDir = { root, buttons: `${root}/buttons`, source: "explicit", passedOver: [] }
const result = await Effect.runPromise(
  Effect.provide(
    Effect.flatMap(Press, ({ press }) => press({ name, args: {}, caller: "mcp" })),
    Buttons.layer(dataDir)
  )
)
process.stdout.write(`RESULT ${JSON.stringify(result)}\n`)
