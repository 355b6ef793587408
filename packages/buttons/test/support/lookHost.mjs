// Looks for processes with no descriptor to spare, and prints what is seen.
// Run as a process of its own, with few descriptors: node lookHost.mjs <number of a group>
import { openSync } from "node:fs"
import { createViteServer } from "vitest/node"

const group = Number(process.argv[2])

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
const Marked = await server.ssrLoadModule("/src/internal/markedProcesses.ts")
const ProcessTable = await server.ssrLoadModule("/src/internal/processTable.ts")
const BornSince = await server.ssrLoadModule("/src/internal/bornSince.ts")
await server.close()

const ownIs = (found) => (typeof found === "string" ? found : "found")

const look = () => {
  const { hasFailed, marked } = Marked.lookNow(new Set(["0".repeat(32)]))
  return {
    own: ownIs(ProcessTable.find(process.pid)),
    hasFailed,
    marked: marked.length,
    isGroupDead: ProcessTable.isGroupDead(group),
    isNothingLeft: BornSince.isNothingLeft(group, () => true)
  }
}

const free = look()
try {
  for (;;) openSync("/dev/null", "r")
} catch {
  // None is left.
}
const exhausted = look()
process.stdout.write(`${JSON.stringify({ free, exhausted })}\n`)
