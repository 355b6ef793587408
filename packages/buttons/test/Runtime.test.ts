import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Runtime from "@pushbutton/buttons/Runtime"
import * as Effect from "effect/Effect"
import * as Temporary from "./support/temporary.js"

const find = (runtime: Runtime.CodeRuntime, path: string | undefined) => Runtime.onPath(path).find(runtime)

/** A folder with programs, and things that only look like them. */
const programs = (entries: Readonly<Record<string, "program" | "text" | "folder">>) =>
  Effect.gen(function* () {
    const folder = yield* Temporary.folder
    for (const [name, kind] of Object.entries(entries)) {
      const path = Path.join(folder, name)
      yield* Effect.promise(() =>
        kind === "folder"
          ? Fs.mkdir(path)
          : Fs.writeFile(path, "", { mode: kind === "program" ? 0o755 : 0o644 })
      )
    }
    return folder
  })

describe("Runtime.fromAlias", () => {
  it("knows the aliases of the format, in their own case", () => {
    const aliases = [
      "",
      "sh",
      "shell",
      "bash",
      "python",
      "python3",
      "node",
      "javascript",
      "js",
      "prompt",
      "SH",
      "http",
      "ruby"
    ]
    assert.deepStrictEqual(aliases.map(Runtime.fromAlias), [
      "shell",
      "shell",
      "shell",
      "bash",
      "python",
      "python",
      "node",
      "node",
      "node",
      "prompt",
      undefined,
      "http",
      undefined
    ])
  })
})

describe("Runtime.onPath", () => {
  it.effect("runs shell buttons with /bin/sh whatever PATH says", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* find("shell", undefined), "/bin/sh")
    })
  )

  it.scoped("takes the first executable file on PATH", () =>
    Effect.gen(function* () {
      const first = yield* programs({ node: "text", bash: "folder" })
      const second = yield* programs({ node: "program", bash: "program" })
      const path = [first, second].join(Path.delimiter)
      assert.strictEqual(yield* find("node", path), Path.join(second, "node"))
      assert.strictEqual(yield* find("bash", path), Path.join(second, "bash"))
    })
  )

  it.scoped("prefers python3 anywhere on PATH to python", () =>
    Effect.gen(function* () {
      const first = yield* programs({ python: "program" })
      const second = yield* programs({ python3: "program" })
      assert.strictEqual(
        yield* find("python", [first, second].join(Path.delimiter)),
        Path.join(second, "python3")
      )
      assert.strictEqual(yield* find("python", first), Path.join(first, "python"))
    })
  )

  it.scoped("passes over relative entries of PATH, which would depend on where the server was started", () =>
    Effect.gen(function* () {
      const folder = yield* programs({ node: "program" })
      const error = yield* Effect.flip(find("node", Path.relative(process.cwd(), folder)))
      assert.strictEqual(error._tag, "RuntimeMissing")
    })
  )

  it.scoped.each([undefined, "", ".", "bin"])(
    "finds nothing in PATH %j, and names what it looked for",
    (path) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(find("python", path))
        assert.deepInclude(error, { _tag: "RuntimeMissing", runtime: "python" })
        assert.deepStrictEqual(error.interpreters, ["python3", "python"])
      })
  )
})
