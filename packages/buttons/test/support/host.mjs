// A server in small: starts a press, whose script writes its process group to a pipe, and ends in the way it is told to.
// Run as a process of its own: node host.mjs <way> <pipe>
import { createViteServer } from "vitest/node"

const [, , way, pipe] = process.argv

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
const { layerProcess, PressRunner } = await server.ssrLoadModule("/src/PressRunner.ts")
const Effect = await server.ssrLoadModule("effect/Effect")
await server.close()

// Every process of the press, in the group or not, holds the pipe until it dies, and none minds SIGTERM.
const script =
  "exec 3>$PIPE; trap '' TERM HUP INT; (sleep 300; sleep 300) & setsid sh -c 'sleep 300; sleep 300' & sleep 0.2; echo $$ >&3; wait; sleep 300"
const run = Effect.flatMap(PressRunner, (runner) =>
  runner.run({
    command: "/bin/sh",
    args: ["-c", script],
    cwd: "/",
    env: { PIPE: pipe, PATH: process.env.PATH },
    timeoutMillis: 60_000,
    outputLimitBytes: 1_000
  })
)
const fiber = Effect.runFork(Effect.provide(run, layerProcess()))

if (way === "graceful") {
  // Removes itself as it runs, as Effect's own runtime does, and lets presses go on for a while.
  const end = () => {
    process.off("SIGTERM", end)
    setTimeout(() => process.exit(fiber.unsafePoll() === null ? 7 : 8), 300)
  }
  process.on("SIGTERM", end)
}

process.stdin.once("data", () => {
  if (way === "exit") process.exit(0)
  if (way === "throw") throw new Error("boom")
})
