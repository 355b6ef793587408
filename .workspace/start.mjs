// `npm start`: sets up what is missing, then becomes `pushbutton http` over the example buttons.
// The command runs in this process: its signals and its exit code are the script's own.
import "./node.mjs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { bundle, isBundled } from "./bundle.mjs"
import { install, isInstalled } from "./install.mjs"
import { whenOrphaned } from "./orphan.mjs"
import { setUp } from "./setup.mjs"
import { dropRepeatedSignals } from "./signals.mjs"
import { root } from "./workspace.mjs"

const ready = (isInstalled() && isBundled()) || (await setUp(install, bundle))

if (ready) {
  const command = join(root, "packages", "cli", "dist", "pushbutton.js")
  const given = process.argv.slice(2)
  const namesFolder = given.some((argument) => argument === "--dir" || argument.startsWith("--dir="))
  const folder = namesFolder ? [] : ["--dir", join(root, "packages", "cli", "examples")]
  process.argv.splice(1, Number.POSITIVE_INFINITY, command, "http", ...given, ...folder)
  dropRepeatedSignals()
  whenOrphaned(() => process.kill(process.pid, "SIGTERM"))
  await import(pathToFileURL(command).href)
} else {
  process.exitCode = 1
}
