import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll } from "vitest"

const folders: Array<string> = []

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Writes files below a new folder that is removed when the tests of the file are over. */
export const temporaryFolder = (
  files: Readonly<Record<string, string>>,
  parent: string = tmpdir()
): string => {
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, "pushbutton-"))
  folders.push(folder)
  for (const [path, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), contents)
  }
  return folder
}
