/** Scripts that try to tell what they know. */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { toFailure } from "@pushbutton/buttons/ButtonError"
import * as Buttons from "@pushbutton/buttons/Buttons"
import * as Press from "@pushbutton/buttons/Press"
import type * as PressProgress from "@pushbutton/buttons/PressProgress"
import * as Effect from "effect/Effect"
import { json } from "./support/definitions.js"
import * as Temporary from "./support/temporary.js"

const world = Effect.fnUntraced(function* (script: string, fields: Readonly<Record<string, unknown>> = {}) {
  const dataDir = yield* Temporary.dataDir
  yield* Temporary.write(dataDir.root, {
    "batteries.json": JSON.stringify({
      schema_version: 1,
      batteries: { APIFY_TOKEN: "secret123/=", OTHER: "another-one" }
    }),
    "buttons/tell/button.json": json({ name: "tell", requires_batteries: ["APIFY_TOKEN"], ...fields }),
    "buttons/tell/main.sh": script
  })
  yield* Effect.promise(() => Fs.chmod(Path.join(dataDir.root, "batteries.json"), 0o600))
  return dataDir
})

const press = (request: Partial<Press.PressRequest> = {}) =>
  Effect.flatMap(Press.Press, (service) =>
    service.press({ name: "tell", args: {}, caller: "cli", ...request })
  )

/** The text of all JSON files in a folder, and of what scripts wrote as progress. */
const everything = async (folder: string): Promise<string> => {
  const entries = await Fs.readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name))
  return (
    await Promise.all(files.map((file) => Fs.readFile(Path.join(file.parentPath, file.name), "utf8")))
  ).join("\n")
}

describe("Press, secrets", () => {
  it.scopedLive("gives a script the batteries that it requires", () =>
    Effect.gen(function* () {
      const dataDir = yield* world(
        'test "$BUTTONS_BAT_APIFY_TOKEN" = "secret123/=" && test -z "$BUTTONS_BAT_OTHER" && echo yes'
      )
      const { stdout } = yield* Effect.provide(press(), Buttons.layer(dataDir))
      assert.strictEqual(stdout, "yes\n")
    })
  )

  it.scopedLive("starts nothing when one is missing", () =>
    Effect.gen(function* () {
      const dataDir = yield* world("touch started", { requires_batteries: ["MISSING"] })
      const error = yield* Effect.flip(Effect.provide(press(), Buttons.layer(dataDir)))
      assert.deepStrictEqual(toFailure(error), {
        code: "PRESS_ERROR",
        message: 'Button "tell" requires "MISSING", which batteries.json does not hold'
      })
      const folder = Path.join(dataDir.buttons, "tell")
      assert.sameMembers(yield* Effect.promise(() => Fs.readdir(folder)), ["button.json", "main.sh"])
    })
  )

  it.scopedLive("keeps secrets out of output, progress and history, however they are written", () =>
    Effect.gen(function* () {
      const script = [
        'b="$BUTTONS_BAT_APIFY_TOKEN"',
        'echo "plain $b, own $API_KEY"',
        'printf "secret"; printf "123/=\\n"',
        'echo "stolen $(cat "$DATA/batteries.json")" >&2',
        'printf "%s" "$b" | base64',
        'echo "{\\"message\\":\\"with $b\\",\\"progress\\":1}" >> "$BUTTONS_PROGRESS_PATH"',
        'echo "not JSON $b" >> "$BUTTONS_PROGRESS_PATH"',
        "exit 3"
      ].join("\n")
      const dataDir = yield* world(script, { env: { API_KEY: "own-api-key" } })
      yield* Temporary.write(dataDir.buttons, {
        "tell/button.json": json({
          name: "tell",
          requires_batteries: ["APIFY_TOKEN"],
          env: { API_KEY: "own-api-key", DATA: dataDir.root },
          args: [{ name: "a", type: "string" }]
        })
      })
      const updates: Array<PressProgress.Update> = []
      const result = yield* Effect.provide(
        press({
          args: { a: "secret123/=" },
          onProgress: (update) => Effect.sync(() => updates.push(update))
        }),
        Buttons.layer(dataDir)
      )
      assert.strictEqual(result.exitCode, 3)
      assert.strictEqual(result.stdout, "plain [redacted], own [redacted]\n[redacted]\n[redacted]\n")
      assert.deepStrictEqual(updates, [
        { progress: 1, message: "with [redacted]" },
        { message: "not JSON [redacted]" }
      ])
      const pressed = Path.join(dataDir.buttons, "tell", "pressed")
      const records = yield* Effect.promise(async () => {
        const files = (await Fs.readdir(pressed)).filter((file) => file.endsWith(".json"))
        return Promise.all(files.map((file) => Fs.readFile(Path.join(pressed, file), "utf8")))
      })
      assert.strictEqual(records.length, 1)
      for (const told of [JSON.stringify(result), JSON.stringify(updates), ...records]) {
        for (const secret of ["secret123", "own-api-key", "another-one", "c2VjcmV0MTIz"]) {
          assert.notInclude(told, secret)
        }
      }
    })
  )

  it.scopedLive("tells no argument whose name says that it is secret", () =>
    Effect.gen(function* () {
      const script = [
        'test "$BUTTONS_ARG_API_TOKEN" = "given-token" && test "$BUTTONS_ARG_DBPASSWORD" = "abc" || exit 1',
        'echo "with $BUTTONS_ARG_API_TOKEN and $BUTTONS_ARG_MAX_TOKENS"',
        'echo "{\\"message\\":\\"$BUTTONS_ARG_API_TOKEN\\"}" >> "$BUTTONS_PROGRESS_PATH"'
      ].join("\n")
      const dataDir = yield* world(script, {
        requires_batteries: [],
        args: [
          { name: "api_token", type: "string" },
          { name: "dbPassword", type: "string" },
          { name: "max_tokens", type: "int" },
          { name: "who", type: "string" }
        ]
      })
      const updates: Array<PressProgress.Update> = []
      const request = {
        args: { api_token: "given-token", dbPassword: "abc", max_tokens: 1000, who: "given-token" },
        idempotencyKey: "k",
        onProgress: (update: PressProgress.Update) => Effect.sync(() => updates.push(update))
      }
      const [first, second, other] = yield* Effect.all([
        press(request),
        press(request),
        Effect.flip(press({ ...request, args: { ...request.args, api_token: "other-token" } }))
      ]).pipe(Effect.provide(Buttons.layer(dataDir)))
      assert.strictEqual(first.stdout, "with [redacted] and 1000\n")
      assert.deepStrictEqual(updates, [{ message: "[redacted]" }])
      assert.deepStrictEqual(first.args, {
        api_token: "[redacted]",
        dbPassword: "[redacted]",
        max_tokens: "1000",
        who: "[redacted]"
      })
      assert.deepStrictEqual(second, { ...first, replayed: true })
      assert.strictEqual(other._tag, "PressKeyConflict")
      const told = yield* Effect.promise(() => everything(dataDir.root))
      assert.include(told, '"max_tokens": "1000"')
      assert.notInclude(told, "given-token")
    })
  )

  it.scopedLive("takes $ENV{NAME} for text", () =>
    Effect.gen(function* () {
      const dataDir = yield* world('printf "%s" "$WHAT"', {
        requires_batteries: [],
        env: { WHAT: "$ENV{HOME} $HOME {{a}}" }
      })
      const { stdout } = yield* Effect.provide(press(), Buttons.layer(dataDir))
      assert.strictEqual(stdout, "$ENV{HOME} $HOME {{a}}")
    })
  )
})
