/** The `args` of a button definition. Two arguments must never end up in one environment variable. */
import { isObject, type JsonValue } from "@pushbutton/protocol/Json"
import type { ArgDef, ArgType } from "../Button.js"
import * as Fields from "./jsonFields.js"
import { memberPath } from "./jsonLines.js"
import { quote } from "./text.js"

/** The variable that carries an argument: upper case, `-` becomes `_`, everything else is kept. */
export const variableName = (argument: string): string =>
  `BUTTONS_ARG_${argument.toUpperCase().replaceAll("-", "_")}`

/** The arguments that are sound; what is wrong with the others is reported. */
export const decode = (args: ReadonlyArray<JsonValue>, report: Fields.Report): ReadonlyArray<ArgDef> => {
  const owners = new Map<string, string>()
  return args.flatMap((arg, index): ReadonlyArray<ArgDef> => {
    const at = `args[${index}]`
    if (!isObject(arg)) {
      report("error", at, "must be an object")
      return []
    }
    const fields = Fields.make(arg, at, report, "error")
    const name = fields.string("name") ?? ""
    checkName(name, memberPath(at, "name"), owners, report)
    const type = decodeType(fields.string("type") ?? "", memberPath(at, "type"), report)
    const required = fields.boolean("required") ?? false
    const values = fields.strings("values") ?? []
    checkValues(type, values, memberPath(at, "values"), report)
    return type === undefined ? [] : [{ name, type, required, values: type === "enum" ? values : [] }]
  })
}

const checkName = (name: string, at: string, owners: Map<string, string>, report: Fields.Report): void => {
  if (name === "") {
    report("error", at, "is missing or empty")
    return
  }
  if (/[=\0]/.test(name)) report("error", at, `${quote(name)} cannot be the name of an environment variable`)
  else if (!/^[A-Za-z0-9_-]+$/.test(name)) {
    report("warning", at, `${quote(name)} cannot be read by a shell script; use letters, digits, - and _`)
  }
  const variable = variableName(name)
  const owner = owners.get(variable)
  if (owner === name) report("error", at, `${quote(name)} is declared twice`)
  else if (owner !== undefined) {
    report("error", at, `${quote(owner)} and ${quote(name)} would both be ${quote(variable)}`)
  } else owners.set(variable, name)
}

const types: ReadonlyMap<string, ArgType> = new Map([
  ["string", "string"],
  ["int", "int"],
  ["bool", "bool"],
  ["enum", "enum"]
])

const decodeType = (type: string, at: string, report: Fields.Report): ArgType | undefined => {
  const known = types.get(type.toLowerCase())
  if (known !== undefined && known !== type)
    report("warning", at, `is read as ${quote(known)}; write it that way`)
  if (known === undefined) report("error", at, `unknown type ${quote(type)}; use string, int, bool or enum`)
  return known
}

const checkValues = (
  type: ArgType | undefined,
  values: ReadonlyArray<string>,
  at: string,
  report: Fields.Report
): void => {
  if (type !== "enum") {
    if (values.length > 0 && type !== undefined)
      report("warning", at, "only an enum has values; they are ignored")
    return
  }
  if (values.length < 2) report("error", at, "an enum needs at least two values")
  if (values.includes("")) report("error", at, "a value is empty")
  if (new Set(values).size < values.length) report("error", at, "a value is there twice")
}
