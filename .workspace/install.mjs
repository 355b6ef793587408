// The dependencies, as the lockfile names them. Needs nothing but node and npm's npx.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fingerprint, readStamp, removeStamp, writeWhole } from "./fingerprint.mjs"
import { run } from "./run.mjs"
import { memory, packageFolders, readManifest, root } from "./workspace.mjs"

const stamp = join(memory, "installed")

const pnpm = readManifest(join(root, "package.json")).packageManager ?? "pnpm"

const wanted = () => {
  const manifests = packageFolders().map((name) => join("packages", name, "package.json"))
  const inputs = ["pnpm-lock.yaml", "pnpm-workspace.yaml", ".npmrc", "package.json", ...manifests]
  return fingerprint(root, inputs, [process.platform, process.arch])
}

export const isInstalled = () =>
  readStamp(stamp) === wanted() &&
  existsSync(join(root, "node_modules", ".pnpm")) &&
  packageFolders().every((name) => existsSync(join(root, "packages", name, "node_modules")))

/** What a failed installation says, and what it means. @type {ReadonlyArray<readonly [said: RegExp, reason: string]>} */
const reasons = [
  [/spawn npx ENOENT/, "there is no npx; it comes with npm"],
  [
    /ERR_PNPM_(?:OUTDATED_LOCKFILE|FROZEN_LOCKFILE|LOCKFILE_CONFIG_MISMATCH|\w*NO_IMPORTER)/,
    `pnpm-lock.yaml does not match the manifests; \`npx ${pnpm} install --lockfile-only\` brings it up to date`
  ],
  [/\bENOSPC\b/, "the disk is full"],
  [/\b(?:EACCES|EPERM|EROFS)\b/, "a folder cannot be written"],
  [
    /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT)\b|NETWORK_ERROR|META_FETCH_FAIL/,
    "the package registry cannot be reached"
  ]
]

/**
 * Why an installation failed, in one line.
 * @param {string} output
 */
export const reasonOf = (output) => {
  const known = reasons.find(([said]) => said.test(output))
  const lines = output.split("\n").map((line) => line.trim())
  return (
    known?.[1] ?? lines.find((line) => line.includes("ERR_PNPM_")) ?? lines.findLast((line) => line !== "")
  )
}

/** Installs when a manifest or the lockfile has changed since the last time. Call with the lock held. */
export const install = async () => {
  if (isInstalled()) return true
  console.error("Installing the dependencies…")
  removeStamp(stamp)
  const inputs = wanted()
  const { code, output } = await run("npx", ["--yes", pnpm, "install", "--frozen-lockfile"], {
    capture: true,
    // Without a terminal pnpm asks no questions only when it believes that it runs in CI.
    env: { ...process.env, CI: "true" },
    // Windows has npx as a batch file only.
    shell: process.platform === "win32"
  })
  if (code === 0) {
    writeWhole(stamp, inputs)
    return true
  }
  console.error(output.trimEnd())
  console.error(`Could not install the dependencies: ${reasonOf(output) ?? "pnpm gave no reason"}.`)
  return false
}
