/** Texts with places in them. They are taken apart once, so that what a value brings is never looked at again. */

export type Template<Place extends object> = ReadonlyArray<string | Place>

/** Takes a text apart where the pattern matches; `placeOf` gives the place that a match is, or the text that it stands for. */
export const parse = <Place extends object>(
  text: string,
  pattern: RegExp,
  placeOf: (match: RegExpMatchArray) => string | Place
): Template<Place> => {
  const parts: Array<string | Place> = []
  let literal = ""
  let at = 0
  for (const match of text.matchAll(pattern)) {
    literal += text.slice(at, match.index)
    at = match.index + match[0].length
    const found = placeOf(match)
    if (typeof found === "string") {
      literal += found
      continue
    }
    if (literal !== "") parts.push(literal)
    literal = ""
    parts.push(found)
  }
  literal += text.slice(at)
  return literal === "" ? parts : [...parts, literal]
}

export const fill = <Place extends object>(
  template: Template<Place>,
  write: (place: Place) => string
): string => template.map((part) => (typeof part === "string" ? part : write(part))).join("")

/** Texts by name; what was not given is not there, or undefined. */
export type Values = Readonly<Record<string, string | undefined>>

export const textOf = (values: Values, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined
