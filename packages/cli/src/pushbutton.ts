#!/usr/bin/env node
/**
 * The first file of the bundled command: loads the others when they are asked for, see `.workspace/bundle.mjs`. Each of
 * them is a script whose value is a function that makes a module.
 */
import { join } from "node:path"
import * as Compiled from "./compiled.js"

/** Late enough for what a client asks for first, early enough for clients that only look what there is. */
const settledMillis = 1_000

const options: Compiled.Options = {
  folder: Compiled.folderOf(process.env, process.platform),
  onceSettled: (keep) => {
    setTimeout(keep, settledMillis).unref()
    // A process that fails, or that a second signal ends, has other things to do.
    process.once("exit", (code) => {
      if (code === 0) keep()
    })
  }
}

const loaded = new Map<string, { exports: object }>()

const load = (name: string): object => {
  const known = loaded.get(name)
  if (known !== undefined) return known.exports
  const module = { exports: {} }
  loaded.set(name, module)
  const make = Compiled.evaluate(join(__dirname, `${name}.js`), options)
  if (typeof make === "function") make(requireFrom, module, module.exports)
  return module.exports
}

const requireFrom = (id: string): unknown => {
  const bundle = /^\.\/(\w+)\.js$/.exec(id)?.[1]
  return bundle === undefined ? require(id) : load(bundle)
}

load("main")
