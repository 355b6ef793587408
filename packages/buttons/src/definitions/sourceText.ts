/**
 * The text of a definitions file, YAML 1.2 or JSON, as a JSON value that remembers where each part of it stands. Total:
 * any text gives a value or says what is wrong with it, and a short text cannot stand for a huge value.
 */
import { type JsonValue, maxDepth } from "@pushbutton/protocol/Json"
import * as Either from "effect/Either"
import type { Document, ErrorCode, YAMLMap, YAMLSeq } from "yaml"
import * as Nesting from "./nesting.js"
import * as Yaml from "./yaml.js"

/** Counted from 1, in UTF-16 units. */
export interface Place {
  readonly line: number
  readonly column: number
}

export interface Mistake {
  readonly place: Place
  readonly message: string
}

export type Path = ReadonlyArray<PropertyKey>

export interface Located {
  readonly value: JsonValue
  /** Of the value at a path, or of the nearest thing around it that is there. */
  readonly valueAt: (path: Path) => Place
  /** The same for the name of a member. */
  readonly keyAt: (path: Path) => Place
}

/** More than any file that a person keeps; only aliases of aliases come near it. */
const maxNodes = 100_000

const options = {
  version: "1.2",
  schema: "core",
  merge: false,
  prettyErrors: false,
  uniqueKeys: true,
  logLevel: "error"
} as const

export const read = (text: string): Either.Either<Located, ReadonlyArray<Mistake>> => {
  const deep = Nesting.tooDeepAt(text)
  if (deep !== undefined) return Either.left([{ place: deep, message: tooDeep }])
  const lines = new Yaml.LineCounter()
  const placeOf = (offset: number): Place => {
    const { col, line } = lines.linePos(Math.min(Math.max(offset, 0), text.length))
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const mistake = (offset: number, message: string): Mistake => ({ place: placeOf(offset), message })
  const document = Yaml.parseDocument(text, { ...options, lineCounter: lines })
  const [first, ...rest] = [...document.errors, ...document.warnings]
  if (first !== undefined) {
    return Either.left([first, ...rest].map(({ code, message, pos }) => mistake(pos[0], said(code, message))))
  }
  const tree = build(document)
  return "offset" in tree
    ? Either.left([mistake(tree.offset, tree.message)])
    : Either.right({
        value: tree.value,
        valueAt: (path) => placeOf(nodeAt(tree, path).start),
        keyAt: (path) => {
          const node = nodeAt(tree, path)
          return placeOf(node.keyStart ?? node.start)
        }
      })
}

const tooDeep = `is nested deeper than ${maxDepth} levels`

/** The parser's own words, but where they speak of its own functions. */
const said = (code: ErrorCode, message: string): string => {
  if (code === "MULTIPLE_DOCS") return "a second document begins here; one file holds one"
  if (code === "DUPLICATE_KEY") return "is there twice"
  return `is no YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`
}

interface Tree {
  readonly value: JsonValue
  readonly start: number
  /** Where the name stands of which this is the value. */
  readonly keyStart: number | undefined
  readonly children: ReadonlyMap<string, Tree>
}

interface Refused {
  readonly offset: number
  readonly message: string
}

const leaf: ReadonlyMap<string, Tree> = new Map()

const build = (document: Document): Tree | Refused => {
  let nodes = 0
  let aliases = 0
  // As of where the walk is: an alias stands for the last thing before it that has its name.
  const anchors = new Map<string, unknown>()

  const walk = (node: unknown, at: number, keyStart: number | undefined, depth: number): Tree | Refused => {
    const start = offsetOf(node, at)
    if (++nodes > maxNodes) return { offset: start, message: `stands for more than ${maxNodes} values` }
    if (depth > maxDepth) return { offset: start, message: tooDeep }
    if (Yaml.isAlias(node)) {
      const target = anchors.get(node.source)
      if (target === undefined)
        return { offset: start, message: `there is no anchor &${node.source} above this` }
      aliases++
      const tree = walk(target, start, keyStart, depth + 1)
      aliases--
      return "offset" in tree ? { ...tree, offset: start } : tree
    }
    if (aliases === 0 && Yaml.isNode(node) && !Yaml.isAlias(node) && node.anchor !== undefined)
      anchors.set(node.anchor, node)
    if (Yaml.isMap(node)) return members(node, start, keyStart, depth)
    if (Yaml.isSeq(node)) return items(node, start, keyStart, depth)
    const value: unknown = Yaml.isScalar(node) ? node.value : null
    return isJsonScalar(value)
      ? { value, start, keyStart, children: leaf }
      : { offset: start, message: "is no JSON value" }
  }

  const members = (map: YAMLMap, start: number, keyStart: number | undefined, depth: number) => {
    const children = new Map<string, Tree>()
    for (const { key, value } of map.items) {
      const keyOffset = offsetOf(key, start)
      if (!Yaml.isScalar(key)) return { offset: keyOffset, message: "a name must be a string" }
      const child = walk(value, keyOffset, keyOffset, depth + 1)
      if ("offset" in child) return child
      children.set(String(key.value), child)
    }
    // Creates each member, so that a name such as __proto__ is one like any other.
    const value = Object.fromEntries([...children].map(([name, child]) => [name, child.value]))
    return { value, start, keyStart, children }
  }

  const items = (sequence: YAMLSeq, start: number, keyStart: number | undefined, depth: number) => {
    const children = new Map<string, Tree>()
    for (const [index, item] of sequence.items.entries()) {
      const child = walk(item, start, undefined, depth + 1)
      if ("offset" in child) return child
      children.set(String(index), child)
    }
    return { value: [...children.values()].map(({ value }) => value), start, keyStart, children }
  }

  return walk(document.contents, 0, undefined, 0)
}

/** A value that is not written is where its name is. */
const offsetOf = (node: unknown, otherwise: number): number =>
  Yaml.isNode(node) && node.range && node.range[1] > node.range[0] ? node.range[0] : otherwise

const isJsonScalar = (value: unknown): value is null | boolean | string | number =>
  value === null ||
  typeof value === "boolean" ||
  typeof value === "string" ||
  (typeof value === "number" && Number.isFinite(value))

const nodeAt = (tree: Tree, path: Path): Tree => {
  let node = tree
  for (const key of path) {
    const child = node.children.get(String(key))
    if (child === undefined) return node
    node = child
  }
  return node
}
