// `npm run check`: everything that can be said about the code without running it. Every step runs, whatever the others find.
import "./node.mjs"
import { install } from "./install.mjs"
import { importProblems, manifestProblems } from "./layering.mjs"
import { biome } from "./lint.mjs"
import { setUp } from "./setup.mjs"
import { checkTypes } from "./types.mjs"
import { catalogProblems, dependencyProblems, lockfileProblems } from "./versions.mjs"

/** @param {Array<() => ReadonlyArray<string>>} checks */
const reports =
  (...checks) =>
  async () => {
    const problems = checks.flatMap((check) => check())
    for (const problem of problems) console.error(problem)
    return problems.length === 0
  }

const installed = await setUp(install)

/** @param {() => Promise<boolean>} step */
const onceInstalled = (step) => async () => {
  if (installed) return step()
  console.error("Not run: it needs the dependencies.")
  return false
}

const steps = [
  { name: "dependencies", passes: async () => installed },
  { name: "format, lint and import cycles", passes: onceInstalled(() => biome([])) },
  { name: "types", passes: onceInstalled(() => setUp(install, checkTypes)) },
  { name: "layering", passes: reports(importProblems, manifestProblems) },
  { name: "versions and lockfile", passes: reports(catalogProblems, dependencyProblems, lockfileProblems) }
]

const failed = []
for (const { name, passes } of steps) {
  console.log(`\n# ${name}`)
  if (!(await passes())) failed.push(name)
}
console.log(failed.length === 0 ? "\nCheck passed." : `\nCheck failed: ${failed.join("; ")}.`)
process.exitCode = failed.length === 0 ? 0 : 1
