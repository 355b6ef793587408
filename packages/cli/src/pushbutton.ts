#!/usr/bin/env node
/**
 * The binary: picks what to load and nothing else. `stdio` with ordinary options starts without the command-line
 * library; everything else goes through it.
 */
import * as StdioArguments from "./StdioArguments.js"

const [command, ...rest] = process.argv.slice(2)
const stdio = command === "stdio" ? StdioArguments.parse(rest) : undefined

if (stdio === undefined) {
  const { run } = await import("./commands.js")
  run(process.argv)
} else {
  const { run } = await import("./stdio.js")
  run(stdio)
}
