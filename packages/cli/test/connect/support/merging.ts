import * as Either from "effect/Either"
import * as Client from "../../../src/connect/Client.js"
import * as Entry from "../../../src/connect/entry.js"
import * as Merge from "../../../src/connect/merge.js"

/** A short entry, so that whole files fit into a test. */
export const entryFor = (name: Client.Name, server: Partial<Entry.StdioServer> = {}): Entry.Entry =>
  Either.getOrThrow(
    Entry.make(Client.all[name], {
      name: "pushbutton",
      command: "/node",
      args: ["/p.js"],
      env: {},
      ...server
    })
  )

export const remoteFor = (name: Client.Name): Entry.Entry =>
  Either.getOrThrow(Entry.make(Client.all[name], { name: "pushbutton", url: "http://localhost:1/mcp" }))

export const merge = (text: string | undefined, entry: Entry.Entry, replace = false) =>
  Merge.merge({ file: "config", text, entry, replace })

/** The text with the entry in it. */
export const merged = (text: string | undefined, entry: Entry.Entry, replace = false): string => {
  const result = Either.getOrThrow(merge(text, entry, replace))
  if (result._tag === "Unchanged") throw new Error("unchanged")
  return result.text
}

/** What stopped the merge. */
export const refusal = (text: string, entry: Entry.Entry, replace = false) =>
  Either.getOrThrow(Either.flip(merge(text, entry, replace)))
