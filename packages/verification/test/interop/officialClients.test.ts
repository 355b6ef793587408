import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Binary from "../support/binary.js"
import { dataFolder } from "../support/buttons.js"
import * as Peers from "../support/peers.js"
import * as Pipe from "../support/pipe.js"

const places = {
  stdio: Effect.map(dataFolder, (folder): Peers.Place => ({ _tag: "Stdio", folder })),
  http: Effect.flatMap(dataFolder, (folder) =>
    Effect.map(Binary.http(folder), ({ url }): Peers.Place => ({ _tag: "Http", url }))
  )
}

const press = (
  peer: Peers.Peer,
  name: string,
  args: Record<string, unknown> = {},
  options?: Peers.PressOptions
) => Effect.promise(() => peer.call("buttons_press", { name, args }, options))

for (const [transport, place] of Object.entries(places)) {
  for (const kind of Peers.kinds) {
    const connected = Effect.flatMap(place, (there) => Peers.connect(kind, there))

    describe(`${kind.name} over ${transport}`, () => {
      it.scopedLive("connects in its own era and lists the button tools", () =>
        Effect.gen(function* () {
          const peer = yield* connected
          assert.strictEqual(peer.era, kind.era)
          assert.strictEqual(peer.serverName, "pushbutton")
          assert.deepStrictEqual(yield* Effect.promise(peer.tools), [
            "buttons_list",
            "buttons_press",
            "buttons_inspect"
          ])
        })
      )

      it.scopedLive("lists the buttons that opted in, presses one, and inspects the run", () =>
        Effect.gen(function* () {
          const peer = yield* connected
          const listing = yield* Effect.promise(() => peer.call("buttons_list", {}))
          const { buttons } = JSON.parse(listing.text)
          const names = buttons.map((button: { name: string }) => button.name)
          assert.include(names, "greet")
          assert.notInclude(names, "hidden")

          const pressed = yield* press(peer, "greet", { who: "Ada" })
          assert.isFalse(pressed.isError)
          assert.deepInclude(JSON.parse(pressed.text), {
            button: "greet",
            exit_code: 0,
            stdout: "hello Ada\n"
          })
          assert.deepStrictEqual(pressed.structured, JSON.parse(pressed.text))

          const inspected = yield* Effect.promise(() => peer.call("buttons_inspect", { name: "greet" }))
          const { recent_runs } = JSON.parse(inspected.text)
          assert.deepStrictEqual(
            recent_runs.map((run: { status: string }) => run.status),
            ["ok"]
          )
        })
      )

      it.scopedLive("sees the progress of a press, in order and before the result", () =>
        Effect.gen(function* () {
          const peer = yield* connected
          const seen: Array<unknown> = []
          const pressed = yield* press(peer, "steps", {}, { onProgress: (progress) => seen.push(progress) })
          assert.isFalse(pressed.isError)
          assert.deepStrictEqual(
            seen,
            [1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` }))
          )
        })
      )

      it.scopedLive("cancels a press, which ends everything that the press had started", () =>
        Effect.gen(function* () {
          const peer = yield* connected
          const pipe = yield* Pipe.make
          const controller = new AbortController()
          const outcome = yield* Effect.promise(() =>
            peer
              .call(
                "buttons_press",
                { name: "hold", args: { pipe: pipe.path } },
                { signal: controller.signal, onProgress: () => controller.abort("enough") }
              )
              .then(
                () => "answered",
                () => "cancelled"
              )
          )
          assert.strictEqual(outcome, "cancelled")
          yield* pipe.released
          const after = yield* press(peer, "greet", { who: "again" })
          assert.isFalse(after.isError)
        })
      )

      // verifies: P-106
      it.scopedLive("sees why a button failed, and all that it wrote", () =>
        Effect.gen(function* () {
          const peer = yield* connected
          const failed = yield* press(peer, "fails")
          assert.isTrue(failed.isError)
          assert.deepInclude(JSON.parse(failed.text), {
            error: true,
            code: "SCRIPT_ERROR",
            message: "disk is full",
            button: "fails",
            exit_code: 3,
            stdout: "half done\n",
            stderr: "disk is full\n"
          })
        })
      )
    })
  }
}
