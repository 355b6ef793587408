// Type-checks every package, sources and tests, and leaves each library's `dist` behind.
import { join } from "node:path"
import { run } from "./run.mjs"
import { packageFolders, root } from "./workspace.mjs"

export const tsc = join(root, "node_modules", "typescript", "bin", "tsc")

/** Call with the lock held. */
export const checkTypes = async () => {
  const projects = [".workspace", ...packageFolders().map((name) => join("packages", name))]
  const pretty = process.stdout.isTTY === true ? ["--pretty"] : []
  const { code } = await run(process.execPath, [tsc, "-b", ...pretty, ...projects])
  return code === 0
}
