// Looks for processes with no descriptor to spare, and prints what is seen.
// Run as a process of its own, with few descriptors: node lookHost.mjs <number of a group>
import { openSync } from "node:fs"
import { load } from "./sourceServer.mjs"

const group = Number(process.argv[2])

const [Marked, ProcessTable, BornSince] = await load(
  "/src/internal/markedProcesses.ts",
  "/src/internal/processTable.ts",
  "/src/internal/bornSince.ts"
)

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
