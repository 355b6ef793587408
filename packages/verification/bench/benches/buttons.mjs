// Folders of buttons for the built command.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileOf } from "../contenders.mjs"

export const binary = fileOf("../../cli/dist/pushbutton.js")

/** What a press runs: the shell becomes `/bin/true`. */
export const code = "exec /bin/true\n"

/** @param {string} name */
const definition = (name) => ({
  schema_version: 2,
  name,
  description: "Does nothing, and does it well",
  runtime: "shell",
  env: {},
  timeout_seconds: 30,
  mcp_enabled: true,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z"
})

/**
 * @param {string} folder
 * @param {number} count
 * @returns {string} the data folder
 */
export const writeButtons = (folder, count) => {
  for (let index = 0; index < count; index++) {
    const name = `nothing-${index}`
    const button = join(folder, "buttons", name)
    mkdirSync(button, { recursive: true })
    writeFileSync(join(button, "button.json"), JSON.stringify(definition(name), undefined, 2))
    writeFileSync(join(button, "main.sh"), code)
  }
  return folder
}
