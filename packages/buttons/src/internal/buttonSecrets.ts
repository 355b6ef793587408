/** What a definition itself holds that must not be told: values under names that say so, and what looks like a key. */
import { isObject } from "@pushbutton/protocol/Json"
import type { Button } from "../Button.js"
import * as BodyTemplate from "../http/BodyTemplate.js"
import type { HttpDefinition } from "../http/HttpDefinition.js"
import type { Template } from "../http/Template.js"
import * as SecretNames from "./secretNames.js"
import * as Spellings from "./spellings.js"

export const of = ({ env, http }: Pick<Button, "env" | "http">): ReadonlyArray<string> => [
  ...ofEnvironment(env),
  ...(http === undefined ? [] : ofRequest(http))
]

const ofEnvironment = (env: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(env).flatMap(([name, value]) => (SecretNames.isSecret(name) ? [value] : passwords(value)))

/** Of URLs such as `postgres://user:password@host/`. */
const passwords = (text: string): ReadonlyArray<string> =>
  Array.from(
    text.matchAll(/[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:([^\s/@]+)@/gi),
    (match) => match[1] ?? ""
  ).flatMap((password) => [password, decodeUrl(password)])

const ofRequest = ({ body, headers, url }: HttpDefinition): ReadonlyArray<string> => [
  ...headers.flatMap(([name, value]) => (SecretNames.isSecret(name) ? credentials(value) : [])),
  ...ofPath(url.segments),
  ...url.pairs.flatMap(ofPair),
  ...(body === undefined ? [] : ofBody(body))
]

/** A header's value, and the part of it that follows the name of a scheme, such as `Bearer`. */
const credentials = (value: string): ReadonlyArray<string> => {
  const [, scheme = "", rest = ""] = /^([A-Za-z]+) +(.+)$/.exec(value) ?? []
  if (rest === "") return [value]
  return scheme.toLowerCase() === "basic" ? [rest, ...Spellings.basic(rest)] : [rest]
}

/** The path of a webhook is its password. */
const ofPath = (segments: ReadonlyArray<Template>): ReadonlyArray<string> =>
  segments.flatMap((segment, index) => {
    const isNamed = SecretNames.isSecret(decodeUrl(literals(segments[index - 1] ?? []).join("")))
    return literals(segment).flatMap((text) => {
      const value = decodeUrl(text)
      return isNamed || SecretNames.looksRandom(value) ? [text, value] : []
    })
  })

/** `name=value` of a query or a form; the value may itself contain `=`. */
const ofPair = (pair: Template): ReadonlyArray<string> => {
  const [first = "", ...rest] = literals(pair)
  const equals = first.indexOf("=")
  if (equals === -1 || !SecretNames.isSecret(decodeUrl(first.slice(0, equals)))) return []
  return [first.slice(equals + 1), ...rest].flatMap((value) => [value, decodeUrl(value)])
}

const ofBody = (body: BodyTemplate.BodyTemplate): ReadonlyArray<string> =>
  body._tag === "Form" ? body.pairs.flatMap(ofPair) : (BodyTemplate.values(body) ?? []).flatMap(ofMembers)

const ofMembers = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(ofMembers)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    SecretNames.isSecret(name) ? [...texts(member), ...ofMembers(member)] : ofMembers(member)
  )
}

const texts = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return value.split(BodyTemplate.hole)
  if (typeof value === "number") return [String(value)]
  return Array.isArray(value) ? value.flatMap(texts) : []
}

const literals = (template: Template): ReadonlyArray<string> =>
  template.filter((part) => typeof part === "string")

const decodeUrl = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return text
  }
}
