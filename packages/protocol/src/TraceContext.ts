/**
 * The trace a request belongs to: `traceparent`, `tracestate` and `baggage` of `_meta`, as W3C Trace Context and W3C
 * Baggage write them. What is malformed counts as absent; a `tracestate` without its `traceparent` does too.
 */
import type { JsonObject } from "./Json.js"
import * as Json from "./Json.js"
import { trim } from "./RequestHeaders.js"

export interface Traceparent {
  readonly traceId: string
  /** The span of the client that sent the request. */
  readonly spanId: string
  readonly isSampled: boolean
}

/** The texts are as sent, for passing on. */
export interface TraceContext {
  readonly parent: Traceparent | undefined
  readonly traceparent: string | undefined
  readonly tracestate: string | undefined
  readonly baggage: string | undefined
}

/** Undefined where `_meta` tells of no trace. */
export const ofMeta = (meta: JsonObject): TraceContext | undefined => {
  const traceparent = text(meta, "traceparent")
  const parent = traceparent === undefined ? undefined : parseTraceparent(traceparent)
  const baggage = accepted(text(meta, "baggage"), isBaggage)
  if (parent === undefined) {
    return baggage === undefined
      ? undefined
      : { parent: undefined, traceparent: undefined, tracestate: undefined, baggage }
  }
  return {
    parent,
    traceparent,
    tracestate: accepted(text(meta, "tracestate"), isTracestate),
    baggage
  }
}

/** Whether `_meta` names a trace, well or badly. */
export const isIn = (meta: JsonObject): boolean => text(meta, "traceparent") !== undefined

/** Of later versions of the format the known part counts, when more follows a dash; version ff is none. */
export const parseTraceparent = (value: string): Traceparent | undefined => {
  const [, version, traceId = "", spanId = "", flags = "", rest] = format.exec(value) ?? []
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return undefined
  if (zeros.test(traceId) || zeros.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Up to 32 members with keys of their own. */
export const isTracestate = (value: string): boolean => {
  if (value.length > longest) return false
  const members = membersOf(value).filter((member) => member !== "")
  const keys = members.map((member) => stateMember.exec(member)?.[1])
  return (
    members.length > 0 &&
    members.length <= 32 &&
    !keys.includes(undefined) &&
    new Set(keys).size === keys.length
  )
}

export const isBaggage = (value: string): boolean => {
  if (value.length > longest) return false
  const members = membersOf(value)
  return members.length <= 180 && members.every(isBaggageMember)
}

/** W3C Baggage has this limit; the states of traces are shorter. */
const longest = 8192

const format = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[\x21-\x7e]*)?$/

const zeros = /^0+$/

const stateMember =
  /^([a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

const octets = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/

/** `key=value`, and properties behind semicolons, with or without values. */
const isBaggageMember = (member: string): boolean =>
  member.split(";").every((part, index) => {
    const equals = part.indexOf("=")
    if (equals === -1) return index > 0 && token.test(trim(part))
    return token.test(trim(part.slice(0, equals))) && octets.test(trim(part.slice(equals + 1)))
  })

const membersOf = (value: string): ReadonlyArray<string> => value.split(",").map(trim)

const text = (meta: JsonObject, key: string): string | undefined => {
  const value = Json.own(meta, key)
  return typeof value === "string" ? value : undefined
}

const accepted = (value: string | undefined, isValid: (value: string) => boolean): string | undefined =>
  value !== undefined && isValid(value) ? value : undefined
