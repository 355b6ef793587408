/** The buttons that the tests press, in a folder of their own so that history stays out of the sources. */
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"

const source = join(import.meta.dirname, "../../fixtures/buttons")

/** A folder that goes with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "pushbutton-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** A data folder with a fresh copy of the fixture buttons. */
export const dataFolder = Effect.tap(temporaryFolder, (folder) =>
  Effect.sync(() => cpSync(source, join(folder, "buttons"), { recursive: true }))
)
