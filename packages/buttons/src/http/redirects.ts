/** What follows from an answer: nothing, another request, or a redirect that must not be followed. */
import type { HttpRequest } from "./HttpClient.js"
import * as Origin from "./Origin.js"

export type Next =
  | { readonly _tag: "Done" }
  | { readonly _tag: "Follow"; readonly request: HttpRequest }
  | { readonly _tag: "Refused"; readonly detail: string }

export const maxRedirects = 5

const done: Next = { _tag: "Done" }
const refused = (detail: string): Next => ({ _tag: "Refused", detail })

/** `isNamed` says which other hosts a redirect may lead to. */
export const next = (
  request: HttpRequest,
  status: number,
  location: string | undefined,
  isNamed: (origin: Origin.Origin) => boolean
): Next => {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return done
  const url = parse(location, `${Origin.format(request.origin)}${request.path}`)
  const origin = url && Origin.fromUrl(url)
  if (url === undefined || origin === undefined) return refused("it redirects to what is not an HTTP URL")
  if (url.username !== "" || url.password !== "") return refused("it redirects to a URL with credentials")
  if (request.origin.scheme === "https" && origin.scheme === "http") {
    return refused("it redirects from https to http")
  }
  const isSame = Origin.equals(request.origin, origin)
  if (!isSame && !Origin.isUpgrade(request.origin, origin) && !isNamed(origin)) {
    return refused(`it redirects to another host, ${Origin.authority(origin)}`)
  }
  const moved = { ...request, origin, path: `${url.pathname}${url.search}` }
  return { _tag: "Follow", request: adapt(moved, status, isSame) }
}

const parse = (location: string, base: string): URL | undefined => {
  try {
    return new URL(location, base)
  } catch {
    return undefined
  }
}

/** Any other header may be a credential, so none goes to an origin that it was not written for. */
const harmless: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "content-language",
  "content-type",
  "user-agent"
])

const adapt = (request: HttpRequest, status: number, isSame: boolean): HttpRequest => {
  const becomesGet =
    (status === 303 && request.method !== "HEAD" && request.method !== "GET") ||
    ((status === 301 || status === 302) && request.method === "POST")
  const { body: _, ...bodiless } = request
  const kept = becomesGet ? { ...bodiless, method: "GET" } : request
  return {
    ...kept,
    headers: request.headers.filter(([name]) => {
      const known = name.toLowerCase()
      return (isSame || harmless.has(known)) && !(becomesGet && known.startsWith("content-"))
    })
  }
}
