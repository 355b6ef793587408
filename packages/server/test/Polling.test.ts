import { assert, describe, it } from "@effect/vitest"
import * as Polling from "@pushbutton/server/Polling"
import * as TestRequest from "@pushbutton/server/testing/TestRequest"
import * as Effect from "effect/Effect"
import { releasing } from "../src/internal/releasing.js"

describe("Polling.release", () => {
  it.effect("asks for whole milliseconds that a timer can wait", () =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      const request = TestRequest.make({
        [releasing]: (millis) => Effect.sync(() => void asked.push(millis))
      })
      for (const retryAfter of ["2 seconds", "1500 micros", "365 days"] as const) {
        yield* Effect.provide(Polling.release({ retryAfter }), request.layer)
      }
      assert.deepStrictEqual(asked, [2000, 2, 2_147_483_647])
    })
  )

  it.effect("does nothing where no connection can be released", () =>
    Effect.provide(Polling.release({ retryAfter: "1 second" }), TestRequest.make().layer)
  )
})
