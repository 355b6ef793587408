// A server in small: starts a press, whose script writes its process group to a pipe, and ends in the way it is told to.
// Run as a process of its own: node host.mjs <way> <pipe>
import { load } from "./sourceServer.mjs"

const [, , way, pipe] = process.argv

const [{ layerProcess, PressRunner }, Effect] = await load("/src/PressRunner.ts", "effect/Effect")

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
