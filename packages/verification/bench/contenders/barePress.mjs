// Bare stdio: each line starts the program that a press starts, and is answered when that has ended.
import { spawn } from "node:child_process"
import { readLines, writeLine } from "./bareLines.mjs"
import { textReply } from "./bareTools.mjs"
import { settings } from "./control.mjs"

const { script = "" } = settings()

readLines((line) => {
  const { id } = JSON.parse(line)
  const child = spawn("/bin/sh", [script], { stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  child.stdout.on("data", (chunk) => (output += chunk))
  child.stderr.on("data", (chunk) => (output += chunk))
  child.on("close", (code) => writeLine(textReply(id, `${code}${output}`)))
})
