// Folders of buttons for the built command.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileOf } from "../contenders.mjs"

export const binary = fileOf("../../cli/dist/pushbutton.js")

/** What a press runs: the shell becomes `/bin/true`. */
export const code = "exec /bin/true\n"

/** As many presses as there is time for. */
export const unlimited = ["--rate", "100000000"]

/** @param {string} name @param {number} atOnce */
const definition = (name, atOnce) => ({
  schema_version: 2,
  name,
  description: "Does nothing, and does it well",
  runtime: "shell",
  queue: { name, concurrency: atOnce },
  env: {},
  timeout_seconds: 30,
  mcp_enabled: true,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z"
})

/** @param {number} count */
export const names = (count) => Array.from({ length: count }, (_, index) => `nothing-${index}`)

/**
 * @param {string} folder
 * @param {number} count
 * @param {number} [atOnce] presses of one of them
 * @returns {string} the data folder
 */
export const writeButtons = (folder, count, atOnce = 1) => {
  for (const name of names(count)) {
    const button = join(folder, "buttons", name)
    mkdirSync(button, { recursive: true })
    writeFileSync(join(button, "button.json"), JSON.stringify(definition(name, atOnce), undefined, 2))
    writeFileSync(join(button, "main.sh"), code)
  }
  return folder
}
