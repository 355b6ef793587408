/** Buttons that the command makes and shows to clients. */

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Binary from "../support/binary.js"
import { temporaryFolder } from "../support/buttons.js"

/** Runs the binary on a folder to its end. */
const run = (folder: string, ...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const binary = yield* Binary.start([...args, "--dir", folder])
    const { code } = yield* binary.exited
    return { code, stdout: binary.stdout(), stderr: binary.stderr() }
  })

describe("pushbutton create, enable and disable", () => {
  it.scopedLive("make a button, show it and hide it", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const script = join(folder, "hello.py")
      writeFileSync(script, "import os\nprint('hello', os.environ['BUTTONS_ARG_WHO'])\n")
      const create = ["create", "Hello", "--file", script, "--arg", "who:string:required", "--tag", "social"]
      const created = yield* run(folder, ...create)
      assert.strictEqual(created.code, 0, created.stderr)
      assert.include(created.stdout, "Created ")
      assert.deepInclude(yield* run(folder, "press", "hello", "--arg", "who=Ada"), {
        code: 0,
        stdout: "hello Ada\n"
      })
      const again = yield* run(folder, ...create, "--json")
      assert.strictEqual(again.code, 1)
      assert.deepInclude(JSON.parse(again.stdout).error, { code: "ALREADY_EXISTS" })

      const isSeen = Effect.map(run(folder, "list", "--json"), ({ stdout }) => {
        const [hello] = JSON.parse(stdout).data.buttons
        return hello.mcp_enabled
      })
      assert.isFalse(yield* isSeen)
      assert.deepInclude(yield* run(folder, "enable", "hello"), {
        code: 0,
        stdout: "hello: clients now see it\n"
      })
      assert.isTrue(yield* isSeen)
      assert.include((yield* run(folder, "enable", "hello")).stdout, "already")
      const hidden = yield* run(folder, "disable", "hello", "--json")
      assert.deepStrictEqual(JSON.parse(hidden.stdout), {
        ok: true,
        data: { name: "hello", mcp_enabled: false, changed: true }
      })
      assert.deepInclude(yield* run(folder, "check"), { code: 0, stderr: "" })
    })
  )

  it.scopedLive.each([
    [["create", "x"], "exactly one"],
    [["create", "../x", "--code", "a"], "path"],
    [["create", "x", "--file", "/nowhere"], "/nowhere"],
    [["create", "x", "--code", "a", "--arg", "n:number:required"], "unknown type"],
    [["create", "x", "--code", "a", "--runtime", "cobol"], "python"],
    [["enable", "nobody"], "nobody"],
    [["stdio", "--enable-created"], "--allow-create"],
    [["stdio", "--mode", "both"], "tools"],
    [["http", "--rate", "often"], "--rate"]
  ] as const)("explain a wrong use, %j, and exit 1", ([args, words]) =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* run(yield* temporaryFolder, ...args)
      assert.strictEqual(code, 1)
      assert.include(stdout + stderr, words)
    })
  )
})
