/** Signals that come while the binary starts. */
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Binary from "../support/binary.js"
import { dataFolder } from "../support/buttons.js"

const signalAt = join(import.meta.dirname, "fixtures/signalAt.cjs")

describe("a signal at the start of pushbutton http", () => {
  // The command line listens first, then what hands over, then the server: each once for itself and once for Effect.
  it.scopedLive.each([1, 2, 3, 4, 5])("ends it, whichever listener it comes with (%i)", (nth) =>
    Effect.gen(function* () {
      const binary = yield* Binary.start(["http", "--dir", yield* dataFolder, "--port", "0"], {
        NODE_OPTIONS: `--require ${signalAt}`,
        SIGNAL_AT: String(nth)
      })
      const { code } = yield* binary.exited
      assert.include([0, 130], code, binary.stderr())
    })
  )
})
