/** Descriptors that a server got from whoever started it. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { json } from "./support/definitions.js"
import * as Temporary from "./support/temporary.js"

const hostPath = fileURLToPath(new URL("./support/pressHost.mjs", import.meta.url))

/** Presses a button in a server that was started with the file open as the descriptors; gives what it wrote. */
const pressed = (root: string, path: string, descriptors: ReadonlyArray<number>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => Fs.openSync(path, "a+")),
    (file) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          const others = Array.from({ length: Math.max(...descriptors) - 2 }, (_, index) =>
            descriptors.includes(index + 3) ? file : ("ignore" as const)
          )
          return spawn(process.execPath, [hostPath, root, "look"], {
            stdio: ["ignore", "pipe", "inherit", ...others]
          })
        }),
        (host) =>
          Effect.promise(async () => {
            const { stdout } = host
            if (stdout === null) return assert.fail("the host has no output")
            const said = await text(stdout)
            return String(JSON.parse(said.slice(said.indexOf("{"))).stdout)
          }),
        (host) =>
          Effect.promise(async () => {
            if (host.exitCode !== null || host.signalCode !== null) return
            host.kill("SIGKILL")
            await once(host, "exit")
          })
      ),
    (file) => Effect.sync(() => Fs.closeSync(file))
  )

describe("descriptors that the server inherited", () => {
  it.scopedLive("lead a press nowhere", () =>
    Effect.gen(function* () {
      const { root } = yield* Temporary.dataDir
      const path = Path.join(root, "left-open")
      yield* Temporary.write(root, {
        "left-open": "secret\n",
        "buttons/look/button.json": json({ name: "look", runtime: "bash", mcp_enabled: true }),
        "buttons/look/main.sh": [
          "ls -l /proc/$$/fd",
          "cat <&20",
          "cat <&251",
          "echo written >&251 && echo could write",
          ""
        ].join("\n")
      })
      const said = yield* pressed(root, path, [20, 251])
      assert.match(said, / 251 -> \/dev\/null\n/)
      assert.notInclude(said, "left-open")
      assert.notInclude(said, "secret")
      assert.include(said, "could write")
      assert.strictEqual(yield* Temporary.read(path), "secret\n")
    })
  )
})
