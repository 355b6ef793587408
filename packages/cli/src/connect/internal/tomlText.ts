/** TOML text for the little that an entry needs: strings, arrays of strings, and tables of strings. */
import type * as Json from "@pushbutton/protocol/Json"
import { isObject } from "@pushbutton/protocol/Json"

/** A table as lines: its own members first, then each object among them as a sub-table. */
export const table = (path: ReadonlyArray<string>, members: Json.JsonObject): ReadonlyArray<string> => {
  const plain: Array<string> = []
  const nested: Array<string> = []
  for (const [name, member] of Object.entries(members)) {
    if (isObject(member)) nested.push("", ...table([...path, name], member))
    else plain.push(`${key(name)} = ${value(member)}`)
  }
  return [`[${path.map(key).join(".")}]`, ...plain, ...nested]
}

const key = (name: string): string => (/^[A-Za-z0-9_-]+$/.test(name) ? name : string(name))

const value = (member: Json.JsonValue): string =>
  Array.isArray(member) ? `[${member.map(value).join(", ")}]` : string(String(member))

/** JSON's escapes are TOML's, except that TOML wants DEL escaped as well. */
const string = (text: string): string => JSON.stringify(text).replaceAll("\u007F", "\\u007F")
