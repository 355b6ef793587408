/**
 * Sets one member of one object in JSON text, with or without comments, and leaves every other byte as it is.
 * The parser of `jsonc-parser` says where things are; its own editor moves comments from member to member, so the
 * text is put in here.
 */
import type * as Json from "@pushbutton/protocol/Json"
import * as Either from "effect/Either"
import * as jsonc from "jsonc-parser"
import * as ConnectError from "../ConnectError.js"
import type * as merge from "../merge.js"
import * as text from "./text.js"

export const edit = (
  source: string,
  { entry, file, replace }: merge.Input
): Either.Either<merge.Merged, ConnectError.MergeError> => {
  const { name, value } = entry
  const { format, serversKey } = entry.client
  const uneditable = (offset: number, detail: string) =>
    Either.left(new ConnectError.ConfigUneditable({ file, line: text.position(source, offset).line, detail }))

  const parsed = parse(source, file, format === "jsonc")
  if (Either.isLeft(parsed)) return Either.left(parsed.left)
  const root = parsed.right
  const style = styleOf(source, root)

  if (root === undefined) {
    const blank = source.trim() === ""
    const document = render({ [serversKey]: { [name]: value } }, "", style)
    return changed(`${blank ? "" : `${source.trimEnd()}${style.eol}`}${document}${style.eol}`)
  }
  if (root.type !== "object") return uneditable(root.offset, "the file does not hold an object")

  const [servers, secondServers] = members(root, serversKey)
  if (servers === undefined) return changed(insert(source, root, serversKey, { [name]: value }, style))
  if (secondServers !== undefined)
    return uneditable(secondServers.key.offset, `"${serversKey}" stands here again`)
  if (servers.value.type !== "object")
    return uneditable(servers.value.offset, `"${serversKey}" is not an object`)

  const [existing, secondExisting] = members(servers.value, name)
  if (existing === undefined) return changed(insert(source, servers.value, name, value, style))
  if (secondExisting !== undefined)
    return uneditable(secondExisting.key.offset, `"${name}" stands here again`)
  if (text.sameEntry(jsonc.getNodeValue(existing.value), value)) return Either.right({ _tag: "Unchanged" })

  const old = slice(source, existing.value)
  if (!replace) {
    const base = indentation(source, existing.key.offset)
    const proposed = `${base}"${name}": ${render(value, base, style)}`
    return Either.left(
      new ConnectError.EntryDiffers({ file, name, existing: `${base}"${name}": ${old}`, proposed })
    )
  }
  const oneLine = !slice(source, servers.value).includes("\n")
  const rendered = oneLine
    ? JSON.stringify(value)
    : render(value, indentation(source, existing.key.offset), style)
  const { length, offset } = existing.value
  return changed(source.slice(0, offset) + rendered + source.slice(offset + length))
}

const changed = (newText: string): Either.Either<merge.Merged> =>
  Either.right({ _tag: "Changed", text: newText })

const parse = (
  source: string,
  file: string,
  comments: boolean
): Either.Either<jsonc.Node | undefined, ConnectError.ConfigBroken> => {
  const broken = (offset: number, detail: string) =>
    Either.left(new ConnectError.ConfigBroken({ file, ...text.position(source, offset), detail }))
  const errors: Array<jsonc.ParseError> = []
  const options = { allowTrailingComma: comments, disallowComments: !comments, allowEmptyContent: true }
  const tree = Either.try({
    try: () => jsonc.parseTree(source, errors, options),
    catch: () => "nested too deeply"
  })
  if (Either.isLeft(tree)) return broken(0, tree.left)
  const [first] = errors
  return first === undefined
    ? Either.right(tree.right)
    : broken(first.offset, words(jsonc.printParseErrorCode(first.error)))
}

/** `CloseBraceExpected` as words. */
const words = (name: string): string =>
  `not valid JSON: ${name.replace(/[A-Z]/g, (letter, at) => (at === 0 ? letter : ` ${letter}`)).toLowerCase()}`

interface Member {
  readonly key: jsonc.Node
  readonly value: jsonc.Node
}

/** The members of that name: JSON text can repeat a key, and then readers disagree on which one counts. */
const members = (object: jsonc.Node, name: string): ReadonlyArray<Member> =>
  (object.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key !== undefined && value !== undefined && key.value === name ? [{ key, value }] : []
  )

interface Style {
  readonly eol: string
  readonly unit: string
}

/** Adds a member after the others: on a line of its own, unless the object has members and stands on one line. */
const insert = (
  source: string,
  object: jsonc.Node,
  key: string,
  value: Json.JsonObject,
  style: Style
): string => {
  const close = object.offset + object.length - 1
  const first = object.children?.at(0)
  const last = object.children?.at(-1)?.children?.at(1)
  const from = last === undefined ? object.offset + 1 : last.offset + last.length
  const name = JSON.stringify(key)

  if (last !== undefined && !slice(source, object).includes("\n")) {
    return `${source.slice(0, from)}, ${name}: ${JSON.stringify(value)}${source.slice(from)}`
  }
  const outer = indentation(source, object.offset)
  const inner =
    first !== undefined && opensLine(source, first) ? indentation(source, first.offset) : outer + style.unit
  // What lies between the last member and the closing brace: comments, white space, perhaps a trailing comma.
  const between = source.slice(from, close)
  const kept = between.replace(/[ \t\r\n]+$/, "")
  const rest = between.slice(kept.length)
  const trailing = last !== undefined && hasComma(source, from, close)
  const added = `${style.eol}${inner}${name}: ${render(value, inner, style)}${trailing ? "," : ""}`
  const ending = rest.includes("\n") ? rest : style.eol + outer
  const comma = last === undefined || trailing ? "" : ","
  return source.slice(0, from) + comma + kept + added + ending + source.slice(close)
}

const hasComma = (source: string, from: number, to: number): boolean => {
  const scanner = jsonc.createScanner(source, true)
  scanner.setPosition(from)
  scanner.scan()
  return scanner.getTokenOffset() < to && source[scanner.getTokenOffset()] === ","
}

const render = (value: Json.JsonObject, base: string, style: Style): string =>
  JSON.stringify(value, null, style.unit).replaceAll("\n", style.eol + base)

const slice = (source: string, node: jsonc.Node): string =>
  source.slice(node.offset, node.offset + node.length)

/** The white space that opens the line of an offset. */
const indentation = (source: string, offset: number): string => {
  const lineStart = source.lastIndexOf("\n", offset - 1) + 1
  return /^[ \t]*/.exec(source.slice(lineStart, offset))?.[0] ?? ""
}

const opensLine = (source: string, node: jsonc.Node): boolean => {
  const base = indentation(source, node.offset)
  return source.slice(0, node.offset).endsWith(`\n${base}`)
}

const styleOf = (source: string, root: jsonc.Node | undefined): Style => ({
  eol: text.lineBreak(source),
  unit: (root === undefined ? undefined : unitOf(source, root)) ?? "  "
})

/** How much deeper the first member on a line of its own stands than the line that opens its object. */
const unitOf = (source: string, node: jsonc.Node): string | undefined => {
  const [first] = node.children ?? []
  if (node.type === "object" && first !== undefined && opensLine(source, first)) {
    const outer = indentation(source, node.offset)
    const inner = indentation(source, first.offset)
    if (inner.length > outer.length && inner.startsWith(outer)) return inner.slice(outer.length)
  }
  for (const child of node.children ?? []) {
    const unit = unitOf(source, child)
    if (unit !== undefined) return unit
  }
  return undefined
}
