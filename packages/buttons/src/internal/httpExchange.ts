/** One HTTP request over a connection of its own, which is closed when the effect ends. */
import { Buffer } from "node:buffer"
import type * as Http from "node:http"
import type * as Https from "node:https"
import * as Net from "node:net"
import type { Readable } from "node:stream"
import type * as Zlib from "node:zlib"
import * as Effect from "effect/Effect"
import type { HttpHead, HttpRequest, Sending } from "../http/HttpClient.js"
import * as Origin from "../http/Origin.js"
import * as NodeError from "./nodeError.js"

export const send = <E>(
  sending: Sending,
  certificateAuthorities: string | undefined,
  fail: (code: string) => E
): Effect.Effect<void, E> =>
  Effect.flatMap(tools[sending.request.origin.scheme], ({ gunzip, start }) =>
    exchange(() => open(start, sending, certificateAuthorities), gunzip, sending, fail)
  )

type Start = (options: Https.RequestOptions) => Http.ClientRequest
type Gunzip = typeof Zlib.createGunzip

interface Tools {
  readonly start: Start
  readonly gunzip: Gunzip
}

/** Loaded with the first request: most servers of buttons send none. */
const load = (client: () => Promise<{ readonly request: Start }>): Effect.Effect<Tools> =>
  Effect.promise(async () => {
    const [{ request }, { createGunzip }] = await Promise.all([client(), import("node:zlib")])
    return { start: request, gunzip: createGunzip }
  })

const tools: Readonly<Record<Origin.Origin["scheme"], Effect.Effect<Tools>>> = {
  http: load(() => import("node:http")),
  https: load(() => import("node:https"))
}

const exchange = <E>(
  start: () => Http.ClientRequest,
  gunzip: Gunzip,
  sending: Sending,
  fail: (code: string) => E
): Effect.Effect<void, E> =>
  Effect.async<void, E>((resume) => {
    const request = start()
    const closed = new Promise<void>((resolve) => {
      request.once("close", resolve)
    })
    let isSettled = false
    let body: Readable | undefined
    const settle = (result: Effect.Effect<void, E>) => {
      if (isSettled) return
      isSettled = true
      body?.destroy()
      request.destroy()
      resume(
        Effect.zipRight(
          Effect.promise(() => closed),
          result
        )
      )
    }
    const failWith = (error: unknown) => settle(Effect.fail(fail(NodeError.code(error))))
    request.on("error", failWith)
    request.on("upgrade", (_, socket) => {
      socket.destroy()
      settle(Effect.fail(fail("UPGRADED")))
    })
    request.on("response", (response) => {
      response.on("error", failWith)
      if (!sending.onHead(headOf(response))) return settle(Effect.void)
      body = decoded(response, sending.request, gunzip)
      if (body !== response) body.on("error", failWith)
      body.on("data", (chunk: Uint8Array) => {
        if (!isSettled && !sending.onBody(chunk)) settle(Effect.void)
      })
      body.on("end", () => settle(Effect.void))
    })
    // Whatever else can happen to a connection. Once there is an answer, its own events say how it ends.
    request.on("close", () => {
      if (body === undefined) settle(Effect.fail(fail("ECONNRESET")))
    })
    const content = sending.request.body
    request.end(content === undefined ? undefined : Buffer.from(content, "utf8"))
    return Effect.promise(() => {
      isSettled = true
      body?.destroy()
      request.destroy()
      return closed
    })
  })

const open = (
  start: Start,
  { addresses, request }: Sending,
  certificateAuthorities: string | undefined
): Http.ClientRequest => {
  const { hostname, port, scheme } = request.origin
  const options: Https.RequestOptions = {
    agent: false,
    host: hostname,
    port,
    method: request.method,
    path: request.path,
    headers: headersOf(request),
    setHost: false,
    insecureHTTPParser: false,
    // Only a name is looked up; an address was checked as it is.
    lookup: (_, { all }, callback) => {
      const found = addresses.map((address) => ({ address, family: Net.isIP(address) }))
      const [first] = found
      if (all === true) callback(null, found)
      else callback(null, first?.address ?? "", first?.family)
    }
  }
  if (scheme === "http") return start(options)
  return start({
    ...options,
    rejectUnauthorized: true,
    servername: Net.isIP(hostname) === 0 ? hostname : "",
    ...(certificateAuthorities === undefined ? {} : { ca: certificateAuthorities })
  })
}

const headersOf = ({ body, headers, origin }: HttpRequest): Http.OutgoingHttpHeaders => {
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  return {
    Host: Origin.authority(origin),
    ...(names.has("user-agent") ? {} : { "User-Agent": "pushbutton" }),
    ...(names.has("accept-encoding") ? {} : { "Accept-Encoding": "gzip" }),
    ...Object.fromEntries(headers),
    ...(body === undefined ? {} : { "Content-Length": Buffer.byteLength(body, "utf8") }),
    Connection: "close"
  }
}

const headOf = ({ headers, statusCode, statusMessage }: Http.IncomingMessage): HttpHead => ({
  status: statusCode ?? 0,
  statusText: statusMessage ?? "",
  location: headers.location,
  contentType: headers["content-type"]
})

/** Who asks for an encoding gets it as it comes. */
const decoded = (response: Http.IncomingMessage, { headers }: HttpRequest, gunzip: Gunzip): Readable => {
  const isAsked = headers.some(([name]) => name.toLowerCase() === "accept-encoding")
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase()
  return !isAsked && (encoding === "gzip" || encoding === "x-gzip") ? response.pipe(gunzip()) : response
}
