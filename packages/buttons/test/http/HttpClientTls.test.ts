/** Over TLS the address is the one that was checked, and the name is still the one that was asked for. */
import { once } from "node:events"
import * as Https from "node:https"
import { assert, describe, it } from "@effect/vitest"
import * as HttpClient from "@pushbutton/buttons/http/HttpClient"
import * as Effect from "effect/Effect"
import * as Certificate from "../support/certificate.js"
import * as Server from "../support/httpServer.js"

const { cert, key } = Certificate.make("api.example.com")

/** A server with that certificate, and the names that clients ask it for. */
const server = Effect.acquireRelease(
  Effect.promise(async () => {
    const asked: Array<string> = []
    const https = Https.createServer({ cert, key }, (request, response) => {
      asked.push(request.headers.host ?? "")
      response.end("over TLS")
    }).listen(0, "127.0.0.1")
    await once(https, "listening")
    return { https, port: Server.portOf(https), asked }
  }),
  ({ https }) =>
    Effect.promise(async () => {
      https.close()
      https.closeAllConnections()
      await once(https, "close")
    })
)

const get = (hostname: string, port: number, options?: HttpClient.Options) =>
  Effect.gen(function* () {
    let body = ""
    yield* HttpClient.ofNode(options).send({
      request: { ...Server.request(hostname, port), origin: { scheme: "https", hostname, port } },
      addresses: ["127.0.0.1"],
      onHead: () => true,
      onBody: (chunk) => {
        body += new TextDecoder().decode(chunk)
        return true
      }
    })
    return body
  })

describe("HttpClient over TLS", () => {
  it.scopedLive("reaches a host whose certificate is for its name", () =>
    Effect.gen(function* () {
      const { asked, port } = yield* server
      assert.strictEqual(yield* get("api.example.com", port, { certificateAuthorities: cert }), "over TLS")
      assert.deepStrictEqual(asked, [`api.example.com:${port}`])
    })
  )

  it.scopedLive(
    "sends nothing to one whose certificate is for another name, or from nobody that is trusted",
    () =>
      Effect.gen(function* () {
        const { asked, port } = yield* server
        const other = yield* Effect.flip(get("other.example.com", port, { certificateAuthorities: cert }))
        assert.strictEqual(other.code, "ERR_TLS_CERT_ALTNAME_INVALID")
        const address = yield* Effect.flip(get("127.0.0.1", port, { certificateAuthorities: cert }))
        assert.strictEqual(address.code, "ERR_TLS_CERT_ALTNAME_INVALID")
        const untrusted = yield* Effect.flip(get("api.example.com", port))
        assert.strictEqual(untrusted.code, "DEPTH_ZERO_SELF_SIGNED_CERT")
        assert.deepStrictEqual(asked, [])
      })
  )

  it.scopedLive("trusts nobody more because the environment says so", () =>
    Effect.gen(function* () {
      const { asked, port } = yield* server
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0"
        }),
        () =>
          Effect.sync(() => {
            delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"]
          })
      )
      assert.strictEqual(
        (yield* Effect.flip(get("api.example.com", port))).code,
        "DEPTH_ZERO_SELF_SIGNED_CERT"
      )
      assert.deepStrictEqual(asked, [])
    })
  )
})
