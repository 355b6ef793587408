/** From the text of a client's configuration file to the text with the entry in it. Pure; all else is kept as it is. */
import * as Either from "effect/Either"
import type * as ConnectError from "./ConnectError.js"
import * as Entry from "./entry.js"
import * as jsonEdit from "./internal/jsonEdit.js"
import * as text from "./internal/text.js"
import * as tomlEdit from "./internal/tomlEdit.js"

export interface Input {
  /** Named in errors; not read. */
  readonly file: string
  /** What the file holds; undefined when there is none. */
  readonly text: string | undefined
  readonly entry: Entry.Entry
  /** Whether another entry of the same name gives way as a whole. Without it such an entry is an error. */
  readonly replace: boolean
}

export type Merged = { readonly _tag: "Unchanged" } | { readonly _tag: "Changed"; readonly text: string }

export const merge = (input: Input): Either.Either<Merged, ConnectError.MergeError> => {
  if (input.text === undefined)
    return Either.right({ _tag: "Changed", text: `${Entry.render(input.entry)}\n` })
  const [mark, document] = text.splitMark(input.text)
  const edit = input.entry.client.format === "toml" ? tomlEdit.edit : jsonEdit.edit
  return Either.map(edit(document, input), (merged) =>
    merged._tag === "Unchanged" ? merged : { _tag: "Changed", text: mark + merged.text }
  )
}
