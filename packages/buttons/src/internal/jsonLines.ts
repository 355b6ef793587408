/**
 * Where things are in a JSON text: the place of the first syntax error, and the line of every field.
 * It reads what `JSON.parse` reads; run it only when there is something to report.
 */

export interface Position {
  readonly line: number
  readonly column: number
}

export interface Located {
  readonly error: (Position & { readonly message: string }) | undefined
  /** By path, such as `args[0].type`; a repeated key keeps its last place. */
  readonly fields: ReadonlyMap<string, Position>
  /** Paths of fields that an object has more than once. */
  readonly repeated: ReadonlySet<string>
}

const maxDepth = 512
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const escapeSequence = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

export const memberPath = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`)

export const locate = (text: string): Located => {
  const fields = new Map<string, Position>()
  const repeated = new Set<string>()
  const lineStarts = startsOfLines(text)
  let at = 0
  let failure: { readonly at: number; readonly message: string } | undefined

  const fail = (message: string): false => {
    failure = { at, message: at >= text.length ? "the text ends too early" : message }
    return false
  }
  const blank = () => {
    while (at < text.length && " \t\r\n".includes(text.charAt(at))) at++
  }
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    if (!pattern.test(text)) return false
    at = pattern.lastIndex
    return true
  }

  const string = (): string | undefined => {
    const start = at
    at++
    for (;;) {
      const unit = text.charAt(at)
      if (unit === '"') {
        at++
        return String(JSON.parse(text.slice(start, at)))
      }
      if (unit === "\\") {
        if (take(escapeSequence)) continue
        fail("this escape does not exist")
        return undefined
      }
      if (unit < " ") {
        fail("a string may not contain a line break or another control character")
        return undefined
      }
      at++
    }
  }

  const members = (path: string, depth: number): boolean => {
    const keys = new Set<string>()
    at++
    blank()
    if (text.charAt(at) === "}") return ++at > 0
    for (;;) {
      blank()
      if (text.charAt(at) !== '"') return fail("expected a field name in double quotes")
      const position = positionAt(lineStarts, at)
      const key = string()
      if (key === undefined) return false
      const child = memberPath(path, key)
      fields.set(child, position)
      if (keys.has(key)) repeated.add(child)
      keys.add(key)
      blank()
      if (text.charAt(at) !== ":") return fail('expected ":" after the field name')
      at++
      if (!value(child, depth)) return false
      blank()
      if (text.charAt(at) === "}") return ++at > 0
      if (text.charAt(at) !== ",") return fail('expected "," or "}"')
      at++
    }
  }

  const elements = (path: string, depth: number): boolean => {
    at++
    blank()
    if (text.charAt(at) === "]") return ++at > 0
    for (let index = 0; ; index++) {
      blank()
      const child = `${path}[${index}]`
      fields.set(child, positionAt(lineStarts, at))
      if (!value(child, depth)) return false
      blank()
      if (text.charAt(at) === "]") return ++at > 0
      if (text.charAt(at) !== ",") return fail('expected "," or "]"')
      at++
    }
  }

  const value = (path: string, depth: number): boolean => {
    blank()
    if (depth > maxDepth) return fail("nested too deep")
    const first = text.charAt(at)
    if (first === "{") return members(path, depth + 1)
    if (first === "[") return elements(path, depth + 1)
    if (first === '"') return string() !== undefined
    for (const word of ["true", "false", "null"]) {
      if (text.startsWith(word, at)) {
        at += word.length
        return true
      }
    }
    return take(number) || fail("expected a value")
  }

  if (value("", 0)) {
    blank()
    if (at < text.length) failure = { at, message: "unexpected text after the end" }
  }
  return {
    error: failure && { ...positionAt(lineStarts, failure.at), message: failure.message },
    fields,
    repeated
  }
}

/** The line of a field, or of the nearest thing around it that exists. */
export const lineOf = (located: Located, path: string): number | undefined => {
  for (let current = path; current !== ""; current = parentPath(current)) {
    const position = located.fields.get(current)
    if (position !== undefined) return position.line
  }
  return undefined
}

const parentPath = (path: string): string =>
  path.slice(0, Math.max(path.lastIndexOf("."), path.lastIndexOf("["), 0))

const startsOfLines = (text: string): ReadonlyArray<number> => {
  const starts = [0]
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  return starts
}

const positionAt = (starts: ReadonlyArray<number>, at: number): Position => {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle
  }
  return { line: low + 1, column: at - (starts[low] ?? 0) + 1 }
}
