/**
 * Puts back what Effect leaves out of a struct's JSON Schema: a `jsonSchema` annotation of a property itself, and the
 * extension keywords of one that stands on a refinement of a transformation.
 */
import { isObject, type JsonObject, type JsonValue } from "@pushbutton/protocol/Json"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

export const restore = (ast: SchemaAST.AST, schema: JsonObject): JsonObject => {
  const properties = schema["properties"]
  const signatures = signaturesOf(ast)
  if (signatures === undefined || !isObject(properties)) return schema
  const restored = Object.entries(properties).map(([name, property]) => {
    const signature = signatures.find((one) => one.name === name)
    return [name, signature === undefined || !isObject(property) ? property : restoreOne(signature, property)]
  })
  return { ...schema, properties: Object.fromEntries(restored) }
}

const restoreOne = (signature: SchemaAST.PropertySignature, property: JsonObject): JsonObject => {
  const type = withoutUndefined(signature.type)
  const kept = {
    ...extensionsOf(type),
    ...annotationOf(signature)
  }
  return restore(type, { ...kept, ...property, ...integer(type, property) })
}

/** The struct a value is written as. */
const signaturesOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.PropertySignature> | undefined => {
  if (SchemaAST.isTypeLiteral(ast)) return ast.propertySignatures
  if (SchemaAST.isRefinement(ast) || SchemaAST.isTransformation(ast)) return signaturesOf(ast.from)
  return SchemaAST.isSuspend(ast) ? signaturesOf(ast.f()) : undefined
}

const withoutUndefined = (ast: SchemaAST.AST): SchemaAST.AST => {
  if (!SchemaAST.isUnion(ast)) return ast
  const [only, ...others] = ast.types.filter((type) => !SchemaAST.isUndefinedKeyword(type))
  return only !== undefined && others.length === 0 ? only : ast
}

const extensionsOf = (ast: SchemaAST.AST): Readonly<Record<string, JsonValue>> => {
  const below = SchemaAST.isRefinement(ast) || SchemaAST.isTransformation(ast) ? extensionsOf(ast.from) : {}
  const own = Object.entries(annotationOf(ast)).filter(([keyword]) => keyword.startsWith("x-"))
  return { ...below, ...Object.fromEntries(own) }
}

/** Another annotation on `Schema.Int` replaces the one that says it is an integer. */
const integer = (ast: SchemaAST.AST, property: JsonObject): JsonObject => {
  const isInt = Option.contains(SchemaAST.getSchemaIdAnnotation(ast), Schema.IntSchemaId)
  return isInt && property["type"] === "number" && annotationOf(ast)["type"] === undefined
    ? { type: "integer" }
    : {}
}

const annotationOf = (annotated: SchemaAST.Annotated): JsonObject => {
  const annotation = Option.getOrUndefined(SchemaAST.getJSONSchemaAnnotation(annotated))
  return annotation === undefined ? {} : JSON.parse(JSON.stringify(annotation))
}
