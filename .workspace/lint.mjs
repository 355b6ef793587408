// Formatter, linter and import cycles, by Biome.
import { join } from "node:path"
import { run } from "./run.mjs"
import { root } from "./workspace.mjs"

const executable = join(root, "node_modules", "@biomejs", "biome", "bin", "biome")

/** @param {ReadonlyArray<string>} args */
export const biome = async (args) => {
  const all = ["--max-diagnostics=none", "--error-on-warnings", "--no-errors-on-unmatched", ...args]
  const { code } = await run(process.execPath, [executable, "check", ...all])
  return code === 0
}
