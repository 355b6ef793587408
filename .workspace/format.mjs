// `npm run format`: formats everything and applies the safe fixes of the linter.
import "./node.mjs"
import { install } from "./install.mjs"
import { biome } from "./lint.mjs"
import { setUp } from "./setup.mjs"

process.exitCode = (await setUp(install)) && (await biome(["--write", ...process.argv.slice(2)])) ? 0 : 1
