/** Requests to real servers by names that a resolver of the test gives addresses to. */
import { assert, describe, it } from "@effect/vitest"
import * as HostAddresses from "@pushbutton/buttons/http/HostAddresses"
import type * as HostPolicy from "@pushbutton/buttons/http/HostPolicy"
import * as HttpClient from "@pushbutton/buttons/http/HttpClient"
import * as HttpRunner from "@pushbutton/buttons/http/HttpRunner"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as Server from "../support/httpServer.js"

interface World {
  readonly find?: (hostname: string) => ReadonlyArray<string>
  readonly policy?: Partial<HostPolicy.HostPolicy>
  readonly client?: Layer.Layer<HttpClient.HttpClient>
}

const run = (
  request: HttpClient.HttpRequest,
  {
    client = Layer.succeed(HttpClient.HttpClient, HttpClient.ofNode()),
    find = () => ["127.0.0.1"],
    policy
  }: World = {},
  spec: Partial<HttpRunner.HttpSpec> = {}
) =>
  Effect.flatMap(HttpRunner.HttpRunner, (runner) =>
    runner.run({
      request,
      maxResponseBytes: 1_000,
      wantsPrivateNetworks: false,
      timeoutMillis: 30_000,
      ...spec
    })
  ).pipe(
    Effect.provide(
      Layer.provide(
        HttpRunner.layer({ named: [], privateNetworks: false, ...policy }),
        Layer.merge(client, HostAddresses.layerTest(find))
      )
    )
  )

const named = (hostname: string, port: number) => ({ named: [{ hostname, port }] })

/** Fails the test when it is used. */
const unsent = HttpClient.layerTest(() => Effect.die("was sent"))

const fine: Server.Answer = (_, response) => response.end("fine")

describe("HttpRunner, addresses", () => {
  it.effect.each([
    "127.0.0.1",
    "10.0.0.1",
    "169.254.169.254",
    "0.0.0.0",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "64:ff9b::7f00:1",
    "fe80::1%eth0",
    "fd00::1"
  ])("sends nothing to a name that leads to %s", (address) =>
    Effect.gen(function* () {
      for (const addresses of [[address], ["8.8.8.8", address], [address, "2606:4700::1111"]]) {
        const outcome = yield* run(Server.request("internal.example", 80), {
          find: () => addresses,
          client: unsent
        })
        assert.strictEqual(outcome.reason, "refused")
        assert.match(outcome.detail ?? "", /^internal\.example leads to an address that is not public \(/)
        assert.notInclude(outcome.detail ?? "", address)
      }
    })
  )

  it.effect("dials the addresses that were checked, whatever the name leads to later", () =>
    Effect.gen(function* () {
      const answers = [["8.8.8.8"], ["127.0.0.1"]]
      const dialled: Array<ReadonlyArray<string>> = []
      let lookups = 0
      yield* run(Server.request("rebinding.example", 80), {
        find: () => answers[lookups++] ?? [],
        client: HttpClient.layerTest(({ addresses, onHead }) =>
          Effect.sync(() => {
            dialled.push(addresses)
            onHead({ status: 200, statusText: "OK", location: undefined, contentType: undefined })
          })
        )
      })
      assert.deepStrictEqual(dialled, [["8.8.8.8"]])
      assert.strictEqual(lookups, 1)
    })
  )

  it.effect("checks a name again when a redirect leads back to it", () =>
    Effect.gen(function* () {
      const answers = [["8.8.8.8"], ["127.0.0.1"]]
      let sent = 0
      const outcome = yield* run(Server.request("rebinding.example", 80), {
        find: () => answers.shift() ?? [],
        client: HttpClient.layerTest(({ onHead }) =>
          Effect.sync(() => {
            sent++
            onHead({ status: 302, statusText: "Found", location: "/again", contentType: undefined })
          })
        )
      })
      assert.strictEqual(outcome.reason, "refused")
      assert.strictEqual(sent, 1)
    })
  )

  it.scopedLive("reaches a named host wherever it is, on the port that is named only", () =>
    Effect.gen(function* () {
      const server = yield* Server.make(fine)
      const request = Server.request("internal.example", server.port)
      const open = yield* run(request, { policy: named("internal.example", server.port) })
      assert.deepInclude(open, { reason: "responded", body: { text: "fine", bytes: 4, truncated: false } })
      for (const policy of [named("internal.example", 1), named("other.example", server.port)]) {
        assert.strictEqual((yield* run(request, { policy })).reason, "refused")
      }
      assert.strictEqual(server.asked.length, 1)
    })
  )

  it.scopedLive("reaches private networks where the button asks for it and the operator permits it", () =>
    Effect.gen(function* () {
      const server = yield* Server.make(fine)
      const request = Server.request("127.0.0.1", server.port)
      const reasons = yield* Effect.forEach(
        [
          [true, true],
          [true, false],
          [false, true]
        ] as const,
        ([privateNetworks, wantsPrivateNetworks]) =>
          Effect.map(
            run(request, { policy: { privateNetworks } }, { wantsPrivateNetworks }),
            ({ reason }) => reason
          )
      )
      assert.deepStrictEqual(reasons, ["responded", "refused", "refused"])
    })
  )

  it.effect.each(["169.254.169.254", "0.0.0.0", "224.0.0.1", "fe80::1", "64:ff9b:1::1"])(
    "does not take %s for a private network",
    (address) =>
      Effect.gen(function* () {
        const outcome = yield* run(
          Server.request("h", 80),
          { find: () => [address], policy: { privateNetworks: true }, client: unsent },
          { wantsPrivateNetworks: true }
        )
        assert.strictEqual(outcome.reason, "refused")
      })
  )
})

describe("HttpRunner, answers", () => {
  it.scopedLive("follows redirects on the same host, and gives the last answer", () =>
    Effect.gen(function* () {
      const server = yield* Server.make(({ url }, response) => {
        if (url === "/") response.writeHead(302, { Location: "/next" }).end("not this")
        else response.writeHead(418, { "Content-Type": "text/plain" }).end("this")
      })
      const outcome = yield* run(Server.request("h", server.port), { policy: named("h", server.port) })
      assert.deepInclude(outcome, { reason: "responded", body: { text: "this", bytes: 4, truncated: false } })
      assert.strictEqual(outcome.head?.status, 418)
      yield* Server.untilUnconnected(server)
    })
  )

  it.scopedLive("does not go round in circles", () =>
    Effect.gen(function* () {
      const server = yield* Server.make((_, response) => response.writeHead(302, { Location: "/" }).end())
      const outcome = yield* run(Server.request("h", server.port), { policy: named("h", server.port) })
      assert.deepInclude(outcome, { reason: "refused", detail: "it redirects more than 5 times" })
      assert.strictEqual(server.asked.length, 6)
    })
  )

  it.scopedLive("follows no redirect to another host, and to a named one without credentials", () =>
    Effect.gen(function* () {
      const target = yield* Server.make(fine)
      const server = yield* Server.make((_, response) =>
        response.writeHead(307, { Location: `http://other.example:${target.port}/x` }).end()
      )
      const request = Server.request("h", server.port, {
        method: "POST",
        body: "b",
        headers: [
          ["Authorization", "Bearer abc"],
          ["Accept", "text/plain"]
        ]
      })
      const closed = yield* run(request, { policy: named("h", server.port) })
      assert.deepInclude(closed, {
        reason: "refused",
        detail: `it redirects to another host, other.example:${target.port}`
      })
      assert.deepStrictEqual(target.asked, [])
      yield* run(request, {
        policy: {
          named: [
            { hostname: "h", port: server.port },
            { hostname: "other.example", port: target.port }
          ]
        }
      })
      const [asked] = target.asked
      assert.deepInclude(asked, { method: "POST", url: "/x", body: "b" })
      assert.deepInclude(asked?.headers, { accept: "text/plain", host: `other.example:${target.port}` })
      assert.isUndefined(asked?.headers.authorization)
    })
  )

  it.scopedLive.each([
    ["é".repeat(600), "text/plain", `${"é".repeat(500)}\n[cut after 1000 bytes]`, true],
    [`x${"é".repeat(600)}`, "text/plain", `x${"é".repeat(499)}\n[cut after 1000 bytes]`, true],
    ["x".repeat(1_000), "text/plain", "x".repeat(1_000), false],
    [Buffer.from([0xe9, 0x41, 0xff]), "text/plain; charset=iso-8859-1", "éAÿ", false],
    [Buffer.from([0xe9, 0x41]), "text/plain; charset=unheard-of", "\uFFFDA", false],
    [Buffer.from([0x41, 0xc3]), "text/plain", "A\uFFFD", false]
  ] as const)("keeps a body up to its limit, and cuts no character", ([content, type, text, truncated]) =>
    Effect.gen(function* () {
      const server = yield* Server.make((_, response) =>
        response.writeHead(200, { "Content-Type": type }).end(content)
      )
      const { body } = yield* run(Server.request("h", server.port), { policy: named("h", server.port) })
      assert.strictEqual(body.text, text)
      assert.strictEqual(body.truncated, truncated)
      yield* Server.untilUnconnected(server)
    })
  )

  it.effect("says why there is no answer", () =>
    Effect.gen(function* () {
      const unknown = yield* run(Server.request("h", 80), { find: () => [], client: unsent })
      assert.deepInclude(unknown, { reason: "unreachable", detail: "its name is not known (ENOTFOUND)" })
      const broken = yield* run(Server.request("h", 80), {
        find: () => ["8.8.8.8"],
        client: HttpClient.layerTest(({ onBody, onHead }) =>
          Effect.suspend(() => {
            onHead({ status: 200, statusText: "OK", location: undefined, contentType: undefined })
            onBody(new TextEncoder().encode("half"))
            return new HttpClient.HttpUnreachable({ code: "ECONNRESET" })
          })
        )
      })
      assert.deepInclude(broken, { reason: "unreachable", detail: "the connection broke off (ECONNRESET)" })
      assert.strictEqual(broken.body.text, "half")
    })
  )
})

describe("HttpRunner, ends", () => {
  const endless = (started: Deferred.Deferred<void>, closed: Deferred.Deferred<void>) => ({
    find: () => ["8.8.8.8"],
    client: HttpClient.layerTest(({ onBody, onHead }) =>
      Effect.sync(() => {
        onHead({ status: 200, statusText: "OK", location: undefined, contentType: undefined })
        onBody(new TextEncoder().encode("half"))
      }).pipe(
        Effect.zipRight(Deferred.succeed(started, undefined)),
        Effect.zipRight(Effect.never),
        Effect.ensuring(Deferred.succeed(closed, undefined))
      )
    )
  })

  it.effect("ends when its time is up, with what had come, and closes the connection", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const closed = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(
        run(Server.request("h", 80), endless(started, closed), { timeoutMillis: 2_000 })
      )
      yield* Deferred.await(started)
      yield* TestClock.adjust("2 seconds")
      const outcome = yield* Fiber.join(fiber)
      assert.strictEqual(outcome.reason, "timed-out")
      assert.strictEqual(outcome.body.text, "half")
      assert.isTrue(yield* Deferred.isDone(closed))
    })
  )

  it.effect("tells of an interruption what had come", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const closed = yield* Deferred.make<void>()
      const told: Array<string> = []
      const fiber = yield* Effect.fork(
        run(Server.request("h", 80), endless(started, closed), {
          onEnded: () => Effect.die("has not ended"),
          onInterrupted: ({ stdout }) => Effect.sync(() => told.push(stdout.text))
        })
      )
      yield* Deferred.await(started)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
      assert.isTrue(yield* Deferred.isDone(closed))
      assert.deepStrictEqual(told, ["half"])
    })
  )
})
