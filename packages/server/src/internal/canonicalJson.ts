import { isObject, type JsonValue } from "@pushbutton/protocol/Json"

/** One text for equal values: members in the order of their names, no blanks. */
export const canonicalJson = (value: JsonValue): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .flatMap((name) => {
      const member = value[name]
      return member === undefined ? [] : [`${JSON.stringify(name)}:${canonicalJson(member)}`]
    })
  return `{${members.join(",")}}`
}
