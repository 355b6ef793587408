// `npm run bench`: our server against the others, CPU time for CPU time.
import "./node.mjs"
import { bundle } from "./bundle.mjs"
import { install } from "./install.mjs"
import { setUp } from "./setup.mjs"
import { checkTypes } from "./types.mjs"

const measure = async () => {
  // Resolved only now: before, the dependencies may not be there.
  const { run } = await import("../packages/verification/bench/run.mjs")
  return run(process.argv.slice(2))
}

process.exitCode = (await setUp(install, checkTypes, bundle)) ? await measure() : 1
