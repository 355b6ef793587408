/** Button definitions for tests: plain ones unless a test says otherwise. */
import * as Button from "@pushbutton/buttons/Button"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"

export const json = (fields: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ schema_version: 2, runtime: "shell", env: {}, timeout_seconds: 30, ...fields })

/** Decodes a definition as if it were in a folder of that name with a code file and a note. */
export const decode = (
  slug: string,
  text: string,
  files: ReadonlyArray<string> = ["button.json", "main.sh", "main.py", "main.js", "AGENTS.md"]
): Button.Decoded =>
  Button.decode({
    slug,
    directory: `/data/buttons/${slug}`,
    relativeDirectory: `buttons/${slug}`,
    text: Either.right(text),
    files: new Set(files)
  })

export const button = (slug: string, fields: Readonly<Record<string, unknown>> = {}): Button.Button => {
  const { button, problems } = decode(slug, json({ name: slug, ...fields }))
  if (button === undefined) throw new Error(JSON.stringify(problems))
  return button
}

/** Any JSON, with the names of real fields among its keys. */
export const jsonValue = (): FastCheck.Arbitrary<unknown> =>
  FastCheck.oneof(
    FastCheck.json().map((text): unknown => JSON.parse(text)),
    FastCheck.dictionary(
      FastCheck.constantFrom(
        "name",
        "args",
        "env",
        "runtime",
        "kind",
        "url",
        "tags",
        "timeout_seconds",
        "queue",
        "__proto__"
      ),
      FastCheck.json().map((text): unknown => JSON.parse(text))
    )
  )
