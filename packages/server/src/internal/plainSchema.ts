/**
 * Decoding without the general machinery, for Schemas that change nothing: structs, arrays and unions of scalars and
 * literals, refined or not. It gives what `ParseResult` gives, a copy of the value, or says that it cannot tell.
 */
import * as Json from "@pushbutton/protocol/Json"
import * as Option from "effect/Option"
import * as SchemaAST from "effect/SchemaAST"

/** What does not fit, or may not: why is for the general decoder to say. */
export const unsure = Symbol("@pushbutton/server/unsure")

export type Copy = (value: unknown) => unknown

/** Undefined for a Schema that transforms, declares or recurses, or that is annotated so that it decodes otherwise. Unknown members do not fit. */
export const compile = (ast: SchemaAST.AST): Copy | undefined => {
  if (isAnnotated(ast)) return undefined
  switch (ast._tag) {
    case "StringKeyword":
      return only((value) => typeof value === "string")
    case "NumberKeyword":
      return only((value) => typeof value === "number")
    case "BooleanKeyword":
      return only((value) => typeof value === "boolean")
    case "UndefinedKeyword":
      return only((value) => value === undefined)
    case "Literal":
      return only((value) => value === ast.literal)
    case "Enums":
      return only((value) => ast.enums.some(([_, member]) => member === value))
    case "Refinement":
      return refined(ast)
    case "Union":
      return anyOf(ast)
    case "TupleType":
      return list(ast)
    case "TypeLiteral":
      return struct(ast)
    default:
      return undefined
  }
}

/** With options of its own, or with a value to fall back on. */
const isAnnotated = (ast: SchemaAST.AST): boolean =>
  Option.isSome(SchemaAST.getParseOptionsAnnotation(ast)) ||
  Option.isSome(SchemaAST.getDecodingFallbackAnnotation(ast))

const only =
  (fits: (value: unknown) => boolean): Copy =>
  (value) =>
    fits(value) ? value : unsure

const refined = (ast: SchemaAST.Refinement): Copy | undefined => {
  const from = compile(ast.from)
  return (
    from &&
    ((value) => {
      const copy = from(value)
      return copy === unsure || Option.isSome(ast.filter(copy, options, ast)) ? unsure : copy
    })
  )
}

/** As the general decoder is called for arguments. */
export const options: SchemaAST.ParseOptions = { errors: "all", onExcessProperty: "error" }

const anyOf = ({ types }: SchemaAST.Union): Copy | undefined => {
  const members = all(types)
  return (
    members &&
    ((value) => {
      for (const member of members) {
        const copy = member(value)
        if (copy !== unsure) return copy
      }
      return unsure
    })
  )
}

const list = ({ elements, rest }: SchemaAST.TupleType): Copy | undefined => {
  const [item, ...more] = rest
  const copyItem = item && elements.length === 0 && more.length === 0 ? compile(item.type) : undefined
  return (
    copyItem &&
    ((value) => {
      if (!Array.isArray(value)) return unsure
      const copies: Array<unknown> = []
      for (const one of value) {
        const copy = copyItem(one)
        if (copy === unsure) return unsure
        copies.push(copy)
      }
      return copies
    })
  )
}

interface Member {
  readonly name: string
  readonly isOptional: boolean
  readonly copy: Copy
}

const struct = ({ indexSignatures, propertySignatures }: SchemaAST.TypeLiteral): Copy | undefined => {
  // An empty struct takes any value.
  if (indexSignatures.length > 0 || propertySignatures.length === 0) return undefined
  const copies = all(propertySignatures.map(({ type }) => type))
  if (copies === undefined) return undefined
  const members = propertySignatures.flatMap(({ isOptional, name }, index): ReadonlyArray<Member> => {
    const copy = copies[index]
    return typeof name === "string" && name !== "__proto__" && copy ? [{ name, isOptional, copy }] : []
  })
  return members.length < copies.length ? undefined : (value) => copyMembers(members, value)
}

const copyMembers = (members: ReadonlyArray<Member>, value: unknown): unknown => {
  if (!Json.isObject(value)) return unsure
  const copies: { [name: string]: unknown } = {}
  let known = 0
  for (const { copy, isOptional, name } of members) {
    if (Object.hasOwn(value, name)) {
      const copied = copy(value[name])
      if (copied === unsure) return unsure
      copies[name] = copied
      known++
    } else if (!isOptional) return unsure
  }
  return Object.keys(value).length === known ? copies : unsure
}

const all = (asts: ReadonlyArray<SchemaAST.AST>): ReadonlyArray<Copy> | undefined => {
  const compiled = asts.map(compile)
  return compiled.every((copy) => copy !== undefined) ? compiled : undefined
}
