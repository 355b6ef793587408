/** Scripts that reach for the files of their own record: the press is answered, and recorded, all the same. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Buttons from "@pushbutton/buttons/Buttons"
import { Press } from "@pushbutton/buttons/Press"
import { PressHistory } from "@pushbutton/buttons/PressHistory"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { json } from "./support/definitions.js"
import * as Temporary from "./support/temporary.js"

/** Presses a button whose script finds the file that its record will be written into in `$file`. */
const pressing = (...lines: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const dataDir = yield* Temporary.dataDir
    yield* Temporary.write(dataDir.root, {
      "batteries.json": JSON.stringify({ batteries: { TOKEN: "s3cret" } }),
      "buttons/work/button.json": json({ name: "work", requires_batteries: ["TOKEN"] }),
      "buttons/work/main.sh": [
        'folder=$(dirname "$BUTTONS_PROGRESS_PATH")',
        'n=0; until [ -f "$(ls -d "$folder"/*.json.tmp)" ] || [ $((n += 1)) -gt 1000 ]; do sleep 0.01; done 2>&-',
        'file=$(ls -d "$folder"/*.json.tmp)',
        ...lines,
        "echo done"
      ].join("\n")
    })
    Fs.chmodSync(Path.join(dataDir.root, "batteries.json"), 0o600)
    const [result, runs] = yield* Effect.provide(
      Effect.all([
        Effect.flatMap(Press, ({ press }) => press({ name: "work", args: {}, caller: "cli" })),
        Effect.flatMap(PressHistory, (history) => history.recent("work", 5))
      ]),
      Buttons.layer(dataDir)
    ).pipe(Logger.withMinimumLogLevel(LogLevel.None))
    assert.deepInclude(result, { status: "ok", stdout: "done\n", stderr: "" })
    const folder = Path.join(dataDir.buttons, "work/pressed")
    return { folder, result, runs }
  })

describe("a script that", () => {
  const changes: ReadonlyArray<readonly [string, string]> = [
    ["leaves a folder in the place of the file", 'rm "$file"; mkdir "$file"; touch "$file/x"'],
    ["lets everybody read and write it", 'chmod 666 "$file"'],
    ["takes it away", 'rm "$file"'],
    ["puts a link in its place", 'ln -sf /dev/null "$file"']
  ]

  it.scopedLive.each(changes)("%s is recorded, for the owner only", ([, line]) =>
    Effect.gen(function* () {
      const { folder, result, runs } = yield* pressing(line)
      assert.isTrue(result.recorded)
      assert.deepStrictEqual(
        runs.map(({ run_id, stdout }) => [run_id, stdout]),
        [[result.runId, "done\n"]]
      )
      const records = Fs.readdirSync(folder).filter((name) => name.endsWith(".json"))
      assert.deepStrictEqual(
        records.map((name) => Fs.lstatSync(Path.join(folder, name)).mode & 0o777),
        [0o600]
      )
    })
  )

  it.scopedLive("writes the record itself, and leaves a folder in the place of the file, is answered", () =>
    Effect.gen(function* () {
      const path = '$(echo "$BUTTONS_PROGRESS_PATH" | sed s/progress.jsonl/json/)'
      const { folder } = yield* pressing('rm "$file"; mkdir "$file"', `echo "{}" >"${path}"`)
      assert.lengthOf(
        Fs.readdirSync(folder).filter((name) => name.endsWith(".json")),
        1
      )
    })
  )

  it.scopedLive("leaves a file in the place of the folder is answered, and told to be unrecorded", () =>
    Effect.gen(function* () {
      const { result } = yield* pressing('rm -r "$folder"; touch "$folder"')
      assert.isFalse(result.recorded)
    })
  )
})
