import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../../../../../", import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly output: string
}

interface Options {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

/** Runs a Node script to its end, in the root of the workspace unless told otherwise. */
export const runNode = (
  args: ReadonlyArray<string>,
  { cwd = root, env = process.env }: Options = {}
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, output }))
  })
