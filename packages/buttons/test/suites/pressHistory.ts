/** What every history of presses does. */
import { assert, describe, it } from "@effect/vitest"
import { PressHistory } from "@pushbutton/buttons/PressHistory"
import type { NewPressRecord } from "@pushbutton/buttons/PressRecord"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"

export const record = (
  startedAt: string,
  runId: string,
  fields: Partial<NewPressRecord> = {}
): NewPressRecord => ({
  button_name: "deploy",
  started_at: startedAt,
  finished_at: startedAt,
  exit_code: 0,
  status: "ok",
  stdout: "out",
  stderr: "",
  duration_ms: 5,
  run_id: runId,
  caller: "cli",
  reason: "exited",
  truncated: false,
  ...fields
})

const moment = (millis: number): string => new Date(Date.UTC(2026, 3, 18, 9, 53, 45) + millis).toISOString()

/** A history in which the buttons `deploy` and `other` exist. */
export type Make = Effect.Effect<Layer.Layer<PressHistory>, never, Scope.Scope>

export const pressHistory = (name: string, make: Make) => {
  const check = <A, E>(effect: Effect.Effect<A, E, PressHistory>) =>
    Effect.flatMap(make, (layer) => Effect.provide(effect, layer))

  const recentIds = (slug: string, limit: number) =>
    Effect.gen(function* () {
      const runs = yield* (yield* PressHistory).recent(slug, limit)
      return runs.map((run) => run.run_id)
    })

  describe(`PressHistory, ${name}`, () => {
    it.scoped("gives back what was recorded", () =>
      check(
        Effect.gen(function* () {
          const history = yield* PressHistory
          const full = record(moment(0), "a", {
            status: "error",
            error_type: "SCRIPT_ERROR",
            exit_code: -1,
            args: { env: "prod", text: "" },
            stdout: "é\n\0",
            stderr: "bad"
          })
          yield* history.record("deploy", full)
          assert.deepStrictEqual(yield* history.recent("deploy", 5), [full])
        })
      )
    )

    it.scoped("gives the newest first, and no more than asked for", () =>
      check(
        Effect.gen(function* () {
          const history = yield* PressHistory
          for (const millis of [2_000, 0, 999, 1_000])
            yield* history.record("deploy", record(moment(millis), `r${millis}`))
          assert.deepStrictEqual(yield* recentIds("deploy", 3), ["r2000", "r1000", "r999"])
          assert.deepStrictEqual(yield* recentIds("deploy", 0), [])
          assert.deepStrictEqual(yield* recentIds("deploy", -1), [])
        })
      )
    )

    it.scoped("keeps two presses of one millisecond", () =>
      check(
        Effect.gen(function* () {
          const history = yield* PressHistory
          yield* Effect.all(
            ["a", "b"].map((id) => history.record("deploy", record(moment(7), id))),
            { concurrency: 2 }
          )
          assert.sameMembers([...(yield* recentIds("deploy", 5))], ["a", "b"])
        })
      )
    )

    it.scoped("keeps the first record of a run", () =>
      check(
        Effect.gen(function* () {
          const history = yield* PressHistory
          yield* history.record("deploy", record(moment(7), "a"))
          yield* history.record("deploy", record(moment(7), "a", { stdout: "another" }))
          const runs = yield* history.recent("deploy", 5)
          assert.deepStrictEqual(
            runs.map(({ stdout }) => stdout),
            ["out"]
          )
        })
      )
    )

    it.scoped("keeps the newest hundred of each button", () =>
      check(
        Effect.gen(function* () {
          const history = yield* PressHistory
          yield* history.record("other", record(moment(0), "kept"))
          for (let index = 0; index < 103; index++)
            yield* history.record("deploy", record(moment(index), `r${index}`))
          const ids = yield* recentIds("deploy", 1_000)
          assert.lengthOf(ids, 100)
          assert.deepStrictEqual([ids[0], ids[99]], ["r102", "r3"])
          assert.deepStrictEqual(yield* recentIds("other", 5), ["kept"])
        })
      )
    )

    it.scoped("keeps the last of more than a hundred, however long ago it began", () =>
      check(
        Effect.gen(function* () {
          const history = yield* PressHistory
          for (let index = 0; index < 101; index++)
            yield* history.record("deploy", record(moment(index + 1), `r${index}`))
          yield* history.record("deploy", record(moment(0), "long"))
          yield* history.record("deploy", record(moment(500), "next"))
          const ids = yield* recentIds("deploy", 1_000)
          assert.lengthOf(ids, 100)
          assert.deepStrictEqual([ids[0], ids[99]], ["next", "long"])
        })
      )
    )

    it.scoped("gives last what seems to have begun in the future", () =>
      check(
        Effect.gen(function* () {
          yield* TestClock.setTime(Date.UTC(2026, 3, 18, 12))
          const history = yield* PressHistory
          yield* history.record("deploy", record("2031-01-01T00:00:00.000Z", "future"))
          yield* history.record("deploy", record(moment(0), "now"))
          assert.deepStrictEqual(yield* recentIds("deploy", 5), ["now", "future"])
          assert.deepStrictEqual(yield* recentIds("deploy", 1), ["now"])
        })
      )
    )

    it.scoped("cuts texts beyond 1 MiB and says so", () =>
      check(
        Effect.gen(function* () {
          const history = yield* PressHistory
          const long = `${"x".repeat(1_048_575)}é`
          yield* history.record(
            "deploy",
            record(moment(0), "a", { stdout: long, stderr: "x".repeat(1_048_576), args: { a: long } })
          )
          const [run] = yield* history.recent("deploy", 1)
          const cut = `${"x".repeat(1_048_575)}\n[truncated]`
          assert.isTrue(run?.stdout === cut && run.args?.["a"] === cut && run.stderr.length === 1_048_576)
          assert.isTrue(run?.truncated)
        })
      )
    )

    it.scoped("has nothing of a button that was never pressed", () =>
      check(
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* recentIds("never", 5), [])
          assert.deepStrictEqual(yield* recentIds("../deploy/..", 5), [])
        })
      )
    )
  })
}
