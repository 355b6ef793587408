/**
 * The command: picks what to load and nothing else. `stdio` with ordinary options starts without the command-line
 * library; everything else goes through it.
 */
import * as StdioArguments from "./StdioArguments.js"

const [command, ...rest] = process.argv.slice(2)
const stdio = command === "stdio" ? StdioArguments.parse(rest) : undefined

if (stdio === undefined) void import("./commands.js").then(({ run }) => run(process.argv))
else void import("./stdio.js").then(({ run }) => run(stdio))
