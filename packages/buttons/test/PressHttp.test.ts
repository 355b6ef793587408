/** HTTP buttons of real folders, pressed against a real server. */
import { assert, describe, it } from "@effect/vitest"
import { toFailure } from "@pushbutton/buttons/ButtonError"
import * as Buttons from "@pushbutton/buttons/Buttons"
import type { DataDir } from "@pushbutton/buttons/DataDir"
import * as Press from "@pushbutton/buttons/Press"
import * as PressHistory from "@pushbutton/buttons/PressHistory"
import * as PressResult from "@pushbutton/buttons/PressResult"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { json } from "./support/definitions.js"
import * as Server from "./support/httpServer.js"
import * as Temporary from "./support/temporary.js"

/** A folder with one button, `call`, and a server that it may reach as `localhost`. */
const world = Effect.fnUntraced(function* (
  answer: Server.Answer,
  fields: Readonly<Record<string, unknown>> = {}
) {
  const server = yield* Server.make(answer)
  const dataDir = yield* Temporary.dataDir
  yield* Temporary.write(dataDir.buttons, {
    "call/button.json": json({
      name: "call",
      runtime: "http",
      mcp_enabled: true,
      args: [{ name: "who", type: "string", required: true }],
      ...fields,
      url: `http://localhost:${server.port}${typeof fields["url"] === "string" ? fields["url"] : "/"}`
    })
  })
  return { server, dataDir }
})

const withButtons =
  (dataDir: DataDir, port: number) =>
  <A, E>(effect: Effect.Effect<A, E, Buttons.Services>) =>
    Effect.provide(
      effect,
      Buttons.layer(dataDir, {
        hosts: { named: [{ hostname: "localhost", port }], privateNetworks: false }
      })
    )

const press = (request: Partial<Press.PressRequest> = {}) =>
  Effect.flatMap(Press.Press, (service) =>
    service.press({ name: "call", args: { who: "Ada" }, caller: "mcp", ...request })
  )

const recent = Effect.flatMap(PressHistory.PressHistory, (history) => history.recent("call", 10))

describe("Press, HTTP", () => {
  it.scopedLive("sends what the definition and the arguments make, and answers with the body", () =>
    Effect.gen(function* () {
      const { dataDir, server } = yield* world((_, response) => response.end("hello Ada"), {
        url: "/greet/{{who}}?q={{who}}",
        method: "put",
        headers: { "X-One": "{{who}}", "Content-Type": "application/json" },
        body: '{"who":"{{who}}"}'
      })
      yield* Effect.gen(function* () {
        const result = yield* press({ args: { who: 'A/"b"?{{who}}' } })
        assert.deepInclude(result, {
          status: "ok",
          reason: "responded",
          exitCode: 200,
          httpStatus: 200,
          stdout: "hello Ada",
          stderr: "",
          recorded: true
        })
        assert.strictEqual(PressResult.describe(result), "call was answered with HTTP status 200")
        const [asked] = server.asked
        assert.deepInclude(asked, {
          method: "PUT",
          url: "/greet/A%2F%22b%22%3F%7B%7Bwho%7D%7D?q=A%2F%22b%22%3F%7B%7Bwho%7D%7D",
          body: '{"who":"A/\\"b\\"?{{who}}"}'
        })
        assert.strictEqual(asked?.headers["x-one"], "{{who}}")
        const [run] = yield* recent
        assert.deepInclude(run, { status: "ok", exit_code: 200, http_status_code: 200, stdout: "hello Ada" })
      }).pipe(withButtons(dataDir, server.port))
    })
  )

  it.scopedLive("takes 200 to 399 for a success, and says what else was answered", () =>
    Effect.gen(function* () {
      const { dataDir, server } = yield* world(
        ({ url }, response) => response.writeHead(Number(url?.slice(1))).end("why"),
        { url: "/{{who}}" }
      )
      yield* Effect.gen(function* () {
        for (const status of ["200", "304", "399"]) {
          assert.strictEqual((yield* press({ args: { who: status } })).status, "ok")
        }
        assert.deepInclude(yield* press({ args: { who: "404" } }), {
          status: "error",
          errorType: "SCRIPT_ERROR",
          exitCode: 404,
          stdout: "why",
          stderr: "HTTP 404 Not Found"
        })
      }).pipe(withButtons(dataDir, server.port))
    })
  )

  it.scopedLive("sends nothing when a value would climb, or a name leads where it must not", () =>
    Effect.gen(function* () {
      const { dataDir, server } = yield* world((_, response) => response.end(), { url: "/a/{{who}}/b" })
      const climbing = yield* Effect.flip(press({ args: { who: ".." } })).pipe(
        withButtons(dataDir, server.port)
      )
      assert.deepStrictEqual(toFailure(climbing), {
        code: "VALIDATION_ERROR",
        message: '"who" must not make a part of the path . or ..'
      })
      const refused = yield* press().pipe(withButtons(dataDir, 1))
      assert.deepInclude(refused, {
        status: "error",
        reason: "refused",
        errorType: "VALIDATION_ERROR",
        exitCode: -1,
        stderr: `Refused: localhost:${server.port} leads to an address that is not public (loopback)`
      })
      assert.isUndefined(refused.httpStatus)
      assert.deepStrictEqual(server.asked, [])
    })
  )

  it.scopedLive("says that nobody answers", () =>
    Effect.gen(function* () {
      const { dataDir, server } = yield* world((_, response) => response.destroy())
      assert.deepInclude(yield* press().pipe(withButtons(dataDir, server.port)), {
        status: "error",
        reason: "unreachable",
        errorType: "SCRIPT_ERROR",
        exitCode: -1,
        stderr: "Not reached: the connection broke off (ECONNRESET)"
      })
    })
  )

  it.scopedLive("ends when its time is up, also within the body, with what had come", () =>
    Effect.gen(function* () {
      const { dataDir, server } = yield* world((_, response) => response.writeHead(200).write("half"))
      const result = yield* press({ timeoutSeconds: 0.2 }).pipe(withButtons(dataDir, server.port))
      assert.deepInclude(result, { status: "timeout", errorType: "TIMEOUT", exitCode: -1, stdout: "half" })
      yield* Server.untilUnconnected(server)
    })
  )

  it.scopedLive("is recorded as cancelled when it is interrupted, and leaves no connection", () =>
    Effect.gen(function* () {
      const { dataDir, server } = yield* world(() => {})
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.fork(press())
        yield* server.reached
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
        yield* Server.untilUnconnected(server)
        const [run] = yield* recent
        assert.deepInclude(run, { status: "error", error_type: "CANCELLED", reason: "cancelled" })
      }).pipe(withButtons(dataDir, server.port))
    })
  )

  it.scopedLive("keeps no more of a body than the button allows, and says so", () =>
    Effect.gen(function* () {
      const { dataDir, server } = yield* world((_, response) => response.end("x".repeat(100)), {
        max_response_bytes: 10
      })
      assert.deepInclude(yield* press().pipe(withButtons(dataDir, server.port)), {
        status: "ok",
        stdout: `${"x".repeat(10)}\n[cut after 10 bytes]`,
        stdoutTruncated: true
      })
    })
  )

  it.scopedLive("shows the secrets of its headers to nobody, not even when they come back", () =>
    Effect.gen(function* () {
      const { dataDir, server } = yield* world(
        ({ headers }, response) => response.writeHead(401).end(`no: ${JSON.stringify(headers)}`),
        { headers: { Authorization: "Bearer t0ps3cret", "X-Api-Key": "k3y-of-mine" } }
      )
      yield* Effect.gen(function* () {
        const result = yield* press({ args: { who: "t0ps3cret" } })
        assert.include(server.asked[0]?.headers.authorization, "t0ps3cret")
        const told = JSON.stringify([result, yield* recent])
        assert.include(result.stdout, "Bearer [redacted]")
        assert.notInclude(told, "t0ps3cret")
        assert.notInclude(told, "k3y-of-mine")
      }).pipe(withButtons(dataDir, server.port))
    })
  )

  it.scopedLive("asks no proxy", () =>
    Effect.gen(function* () {
      const proxy = yield* Server.make((_, response) => response.end("from a proxy"))
      const { dataDir, server } = yield* world((_, response) => response.end("from the server"))
      const names = ["http_proxy", "HTTP_PROXY", "ALL_PROXY"]
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`
        }),
        () =>
          Effect.sync(() => {
            for (const name of names) delete process.env[name]
          })
      )
      const result = yield* press().pipe(withButtons(dataDir, server.port))
      assert.strictEqual(result.stdout, "from the server")
      assert.deepStrictEqual(proxy.asked, [])
    })
  )
})
