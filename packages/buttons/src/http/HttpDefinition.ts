/** The part of a button definition that makes it an HTTP button. Scheme, host and headers take no arguments. */
import * as Either from "effect/Either"
import type { ArgDef } from "../Button.js"
import type * as Fields from "../internal/jsonFields.js"
import { memberPath } from "../internal/jsonLines.js"
import { quote } from "../internal/text.js"
import * as BodyTemplate from "./BodyTemplate.js"
import * as HostPolicy from "./HostPolicy.js"
import * as Origin from "./Origin.js"
import * as Template from "./Template.js"
import * as UrlTemplate from "./UrlTemplate.js"

export interface HttpDefinition {
  readonly origin: Origin.Origin
  readonly url: UrlTemplate.UrlTemplate
  readonly method: string
  /** As written; names that only the client itself may set are not among them. */
  readonly headers: ReadonlyArray<readonly [string, string]>
  readonly body: BodyTemplate.BodyTemplate | undefined
  readonly maxResponseBytes: number
  /** Wanted by the button; it counts only where the operator permits it. */
  readonly allowPrivateNetworks: boolean
}

export const defaultMaxResponseBytes = 10_485_760
/** An answer is kept in memory as a whole. */
export const maxResponseBytesLimit = 67_108_864

/** Undefined when there is no address to send to; that and everything else that is wrong is reported. */
export const decode = (
  url: string,
  fields: Fields.Fields,
  args: ReadonlyArray<ArgDef>,
  report: Fields.Report
): HttpDefinition | undefined => {
  const headers = decodeHeaders(fields.stringMap("headers") ?? {}, report)
  const contentType = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1]
  const text = fields.string("body") ?? ""
  const body = text === "" ? undefined : BodyTemplate.parse(text, contentType, args)
  remarkOnBody(text, body, contentType, args, report)
  const definition = {
    method: decodeMethod(fields.string("method"), report),
    headers,
    body,
    maxResponseBytes: decodeLimit(fields.integer("max_response_bytes"), report),
    allowPrivateNetworks: fields.boolean("allow_private_networks") ?? false
  }
  const address = decodeUrl(url, args, report)
  if (address === undefined) return undefined
  checkAllowedHost(fields.string("allowed_host"), address.origin, report)
  return { ...definition, ...address }
}

const split = /^([^:/?#]*):\/\/([^/?#\\]*)(.*)$/s

const decodeUrl = (
  text: string,
  args: ReadonlyArray<ArgDef>,
  report: Fields.Report
): Pick<HttpDefinition, "origin" | "url"> | undefined => {
  const refuse = (message: string) => void report("error", "url", message)
  const [, scheme = "", authority = "", rest = ""] = split.exec(text) ?? []
  if (!/^https?$/i.test(scheme)) return refuse("must begin with http:// or https://")
  if (/[\p{Cc}\s]/u.test(authority) || /\p{Cc}/u.test(rest) || !/^(?:[/?#]|$)/.test(rest)) {
    return refuse("contains a character that no URL may hold there")
  }
  if (/\{\{|\}\}/.test(authority)) return refuse("the host takes no arguments")
  if (authority.includes("@")) return refuse("must not contain a user name or a password; use a header")
  const url = parseUrl(`${scheme}://${authority}/`)
  const origin = url && Origin.fromUrl(url)
  if (origin === undefined) return refuse(`${quote(authority)} is not a host`)
  remarkOnUnknown("url", rest, args, report)
  return { origin, url: UrlTemplate.parse(rest, args) }
}

const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

const checkAllowedHost = (
  allowed: string | undefined,
  origin: Origin.Origin,
  report: Fields.Report
): void => {
  if (allowed === undefined || allowed === "") return
  if (allowed === "*") {
    report("warning", "allowed_host", "is not supported as *; only the host of the url is reached")
    return
  }
  const named = HostPolicy.parseHost(allowed)
  if (Either.isLeft(named)) report("error", "allowed_host", named.left)
  else if (!HostPolicy.names(named.right, origin)) {
    report(
      "error",
      "allowed_host",
      `is ${quote(allowed)} but the url's host is ${quote(Origin.authority(origin))}`
    )
  }
}

const token = /^[!#$%&'*+.^_`|~A-Za-z0-9-]+$/

const decodeMethod = (text: string | undefined, report: Fields.Report): string => {
  const method = (text ?? "").toUpperCase() || "GET"
  if (!token.test(method)) report("error", "method", `${quote(method)} is not a method`)
  else if (method === "CONNECT" || method === "TRACE") report("error", "method", `${method} is not supported`)
  return method
}

/** What says how the message travels, and where, is the client's to say. */
const reserved: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

const decodeHeaders = (
  headers: Readonly<Record<string, string>>,
  report: Fields.Report
): HttpDefinition["headers"] => {
  const seen = new Set<string>()
  return Object.entries(headers).flatMap(([name, value]): HttpDefinition["headers"] => {
    const at = memberPath("headers", name)
    const known = name.toLowerCase()
    if (!token.test(name)) report("error", at, `${quote(name)} is not a header's name`)
    else if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
      report("error", at, "contains a character that no header may hold")
    else if (seen.has(known)) report("error", at, "is there twice")
    else if (reserved.has(known)) report("warning", at, "is set by the client itself; it is not sent")
    else {
      if (/\{\{.+\}\}|\$ENV\{/.test(value))
        report("warning", at, "headers are not templates; it is sent as it stands")
      seen.add(known)
      return [[name, value]]
    }
    return []
  })
}

const decodeLimit = (bytes: number | undefined, report: Fields.Report): number => {
  if (bytes === undefined || bytes <= 0) return defaultMaxResponseBytes
  if (bytes <= maxResponseBytesLimit) return bytes
  report("warning", "max_response_bytes", `is ${bytes}; no more than ${maxResponseBytesLimit} are read`)
  return maxResponseBytesLimit
}

const remarkOnBody = (
  text: string,
  body: BodyTemplate.BodyTemplate | undefined,
  contentType: string | undefined,
  args: ReadonlyArray<ArgDef>,
  report: Fields.Report
): void => {
  if (body === undefined) return
  if (body._tag === "Json" && contentType !== undefined && BodyTemplate.values(body) === undefined) {
    report("warning", "body", "is not JSON, although the Content-Type says so")
  }
  const obstacle = BodyTemplate.obstacle(body)
  if (obstacle !== undefined) report("error", "body", obstacle)
  remarkOnUnknown("body", text, args, report)
}

const remarkOnUnknown = (
  field: string,
  text: string,
  args: ReadonlyArray<ArgDef>,
  report: Fields.Report
): void => {
  for (const name of Template.unknown(text, args)) {
    report("warning", field, `${quote(name)} in braces is not an argument; it is sent as it stands`)
  }
}
