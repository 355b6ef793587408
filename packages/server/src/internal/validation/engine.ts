/**
 * Ajv, as this server uses it: loaded with the first check, never at start-up. It sees only what
 * `JsonSchema.read` lets through: keywords of the dialect, references within the schema. Formats are annotations.
 */
import type { JsonValue } from "@pushbutton/protocol/Json"
import type { Dialect } from "@pushbutton/protocol/JsonSchema"
import type Core from "ajv/dist/core.js"
import type { Options } from "ajv/dist/core.js"
import * as Either from "effect/Either"
import { canonicalJson } from "../canonicalJson.js"
import * as LinearRegExp from "../regExp/LinearRegExp.js"
import { spend } from "./budget.js"
import { isMultipleOf } from "./multipleOf.js"

type Ajv = Core.default

export interface Engines {
  /** Ends at the first problem. */
  readonly first: Ajv
  /** Finds every problem. */
  readonly every: Ajv
}

/** In each schema that references name: what counts them. */
export const stepKeyword = "x-step"

const loading: Partial<Record<Dialect, Promise<Engines>>> = {}

export const load = (dialect: Dialect): Promise<Engines> => {
  loading[dialect] ??= loaders[dialect]()
  return loading[dialect]
}

const loaders: Readonly<Record<Dialect, () => Promise<Engines>>> = {
  "2020-12": () =>
    import("ajv/dist/2020.js").then(({ Ajv2020 }) => enginesOf((options) => new Ajv2020(options))),
  "draft-07": () => import("ajv").then(({ Ajv }) => enginesOf((options) => new Ajv(options)))
}

const enginesOf = (construct: (options: Options) => Ajv): Engines => ({
  first: configured(construct({ ...options, allErrors: false })),
  every: configured(construct({ ...options, allErrors: true }))
})

/** Stands in for `RegExp`; only sources that `LinearRegExp` takes get here. */
const regExp = Object.assign(
  (source: string) => {
    const compiled = Either.getOrThrowWith(
      LinearRegExp.make(source),
      (detail) => new Error(`${source} ${detail}`)
    )
    return { test: (text: string) => compiled.test(text, spend), toString: () => source }
  },
  { code: "LinearRegExp" }
)

const options: Options = {
  strict: false,
  // The schema has been checked already, and there is nowhere to load another from.
  validateSchema: false,
  meta: false,
  addUsedSchema: false,
  validateFormats: false,
  logger: false,
  ownProperties: true,
  verbose: true,
  code: { regExp }
}

const configured = (ajv: Ajv): Ajv =>
  ajv
    .removeKeyword("uniqueItems")
    .addKeyword({
      keyword: "uniqueItems",
      type: "array",
      schemaType: "boolean",
      // In linear time: equal values have equal canonical texts.
      validate: (isAsked: boolean, items: ReadonlyArray<JsonValue>) =>
        !isAsked || new Set(items.map(canonicalJson)).size === items.length
    })
    .removeKeyword("multipleOf")
    .addKeyword({
      keyword: "multipleOf",
      type: "number",
      schemaType: "number",
      validate: (divisor: number, value: number) => isMultipleOf(value, divisor)
    })
    .addKeyword({
      keyword: stepKeyword,
      before: "$ref",
      schemaType: "boolean",
      validate: () => {
        spend(20)
        return true
      }
    })
