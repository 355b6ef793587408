// `npm run build`: the bundled command; with `--types` also the type-checked `dist` of every library.
import "./node.mjs"
import { bundle } from "./bundle.mjs"
import { install } from "./install.mjs"
import { setUp } from "./setup.mjs"
import { checkTypes } from "./types.mjs"

const types = process.argv.includes("--types") ? [checkTypes] : []

process.exitCode = (await setUp(install, ...types, bundle)) ? 0 : 1
