/** Which answer a request gets when something is wrong with it, and which when two things are: over both transports. */
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { initialize, modern, request } from "../support/messages.js"
import { mirrored } from "../support/rawHttp.js"
import { type Draft, messageOf, type Rung, rungs, sentOf, sound } from "./rungs.js"
import { type Answer, DualEra, ModernOnly, type Sent, layer as servers } from "./servers.js"

const check = ({ body, status }: Answer, rung: Rung, about: string) => {
  if (status !== undefined) assert.strictEqual(status, rung.status, about)
  if (rung.code === undefined) {
    assert.isTrue(body.result.isError, about)
    assert.match(body.result.content[0].text, rung.message, about)
    return
  }
  assert.strictEqual(body.error?.code, rung.code, about)
  assert.match(body.error.message, rung.message, about)
  assert.deepStrictEqual(body.error.data, rung.data, about)
}

const overBoth = (draft: Draft, rung: Rung, about: string, isOnStdio = rung.on === "both") =>
  Effect.gen(function* () {
    const { overHttp, overStdio } = yield* DualEra
    check(yield* overHttp(sentOf(draft)), rung, `${about}, over HTTP`)
    if (isOnStdio) check(yield* overStdio(messageOf(draft)), rung, `${about}, over stdio`)
  })

layer(servers, { excludeTestServices: true })("the ladder of a request with a claim", (it) => {
  it.effect("lets a sound call through on both transports", () =>
    Effect.gen(function* () {
      const { overHttp, overStdio } = yield* DualEra
      for (const answer of [yield* overHttp(sentOf(sound)), yield* overStdio(messageOf(sound))]) {
        assert.strictEqual(answer.body.result.resultType, "input_required")
      }
    })
  )

  it.effect("has rungs that only HTTP has", () =>
    Effect.gen(function* () {
      const { overStdio } = yield* DualEra
      for (const { on, wrong } of rungs) {
        if (on === "both") continue
        const { body } = yield* overStdio(messageOf({ ...sound, ...wrong }))
        assert.strictEqual(body.result.resultType, "input_required")
      }
    })
  )

  for (const [index, rung] of rungs.entries()) {
    // verifies: VER-02, VER-03, META-02, CORE-29
    it.effect(`${index + 1}. ${rung.name}: refuses with ${rung.status} and ${rung.code ?? "isError"}`, () =>
      overBoth({ ...sound, ...rung.wrong }, rung, rung.name)
    )
  }

  for (const [index, upper] of rungs.entries()) {
    const below = rungs.slice(index + 1)
    if (below.length === 0) continue
    it.effect(`${upper.name} answers before every rung below it`, () =>
      Effect.forEach(
        below,
        (lower) =>
          overBoth({ ...sound, ...lower.wrong, ...upper.wrong }, upper, `${upper.name} and ${lower.name}`),
        { discard: true }
      )
    )
  }
})

interface Row {
  readonly name: string
  readonly message?: unknown
  /** Left out: sent over stdio too. */
  readonly headers?: Sent["headers"]
  readonly verb?: string
  readonly status: number
  /** Undefined for a result. */
  readonly code?: number
  readonly data?: unknown
  readonly text?: RegExp
}

const claimed = (method: string) => modern(7, method)

const version = (text: string) => ({ "mcp-protocol-version": text })

const row = (
  tag: typeof DualEra | typeof ModernOnly,
  { code, data, headers, message, text = /./, status, verb }: Row
) =>
  Effect.gen(function* () {
    const { overHttp, overStdio } = yield* tag
    const answers = [
      yield* overHttp({
        ...(verb === undefined ? {} : { verb }),
        headers: headers ?? mirrored(message),
        body: message
      }),
      ...(headers === undefined && verb === undefined ? [yield* overStdio(message)] : [])
    ]
    for (const answer of answers) {
      if (answer.status !== undefined) assert.strictEqual(answer.status, status)
      assert.strictEqual(answer.body.error?.code, code)
      assert.deepStrictEqual(answer.body.error?.data, data)
      if (code === undefined) assert.property(answer.body, "result")
      else assert.match(answer.body.error.message, text)
    }
    return answers
  })

const bothWaysIn = /send initialize first.*2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05/

const dualEra: ReadonlyArray<Row> = [
  { name: "initialize", message: initialize(7), status: 200 },
  {
    name: "initialize for the modern revision",
    message: initialize(7, "2026-07-28"),
    status: 200
  },
  {
    name: "initialize with a modern version header",
    message: initialize(7),
    headers: version("2026-07-28"),
    status: 400,
    code: -32020
  },
  { name: "initialize with metadata", message: claimed("initialize"), status: 404, code: -32601 },
  {
    name: "a request of no era",
    message: request(7, "tools/list"),
    status: 400,
    code: -32602,
    text: bothWaysIn
  },
  {
    name: "a request that names its version in the header only",
    message: request(7, "tools/list"),
    headers: version("2026-07-28"),
    status: 400,
    code: -32602
  },
  {
    name: "a request of a legacy version without a session",
    message: request(7, "tools/list"),
    headers: version("2025-11-25"),
    status: 400,
    code: -32602,
    text: bothWaysIn
  },
  {
    name: "a request in a session that is not there",
    message: request(7, "tools/list"),
    headers: { "mcp-session-id": "gone" },
    status: 404,
    code: -32600
  },
  {
    name: "a request with a claim, whatever session it names",
    message: claimed("tools/list"),
    headers: { ...mirrored(claimed("tools/list")), "mcp-session-id": "gone" },
    status: 200
  },
  {
    name: "a legacy version as a claim",
    message: modern(7, "tools/list", {}, { "io.modelcontextprotocol/protocolVersion": "2025-11-25" }),
    status: 400,
    code: -32022,
    data: { supported: ["2026-07-28"], requested: "2025-11-25" }
  },
  { name: "a ping before any handshake", message: request(7, "ping"), status: 200 },
  { name: "a ping with metadata", message: claimed("ping"), status: 404, code: -32601 },
  { name: "GET", verb: "GET", status: 405, code: -32600 },
  { name: "DELETE without a session", verb: "DELETE", status: 405, code: -32600 }
]

const supported = ["2026-07-28"]

const modernOnly: ReadonlyArray<Row> = [
  {
    name: "initialize",
    message: initialize(7),
    status: 400,
    code: -32022,
    data: { supported, requested: "2025-11-25" },
    text: /2026-07-28/
  },
  {
    name: "initialize with a legacy version header",
    message: initialize(7),
    headers: version("2025-11-25"),
    status: 400,
    code: -32022,
    data: { supported, requested: "2025-11-25" },
    text: /2026-07-28/
  },
  {
    name: "initialize with a modern version header",
    message: initialize(7, "2026-07-28"),
    headers: version("2026-07-28"),
    status: 400,
    code: -32602,
    text: /versions: 2026-07-28\)/
  },
  {
    name: "initialize with metadata",
    message: claimed("initialize"),
    status: 404,
    code: -32601,
    data: { supported },
    text: /2026-07-28/
  },
  {
    name: "initialize that names no version",
    message: request(7, "initialize"),
    status: 400,
    code: -32602,
    text: /versions: 2026-07-28\)/
  },
  {
    name: "a ping without metadata",
    message: request(7, "ping"),
    status: 400,
    code: -32602,
    text: /versions: 2026-07-28\)/
  },
  {
    name: "a request in a session",
    message: request(7, "tools/list"),
    headers: { "mcp-session-id": "gone" },
    status: 400,
    code: -32602,
    text: /versions: 2026-07-28\)/
  },
  { name: "an unknown method", message: claimed("nope"), status: 404, code: -32601 },
  { name: "server/discover", message: claimed("server/discover"), status: 200 },
  { name: "tools/list", message: claimed("tools/list"), status: 200 },
  { name: "GET", verb: "GET", status: 405, code: -32600 },
  {
    name: "DELETE of a session",
    verb: "DELETE",
    headers: { "mcp-session-id": "id" },
    status: 405,
    code: -32600
  }
]

layer(servers, { excludeTestServices: true })("what a message without a full claim comes to", (it) => {
  describe("where every revision is served", () => {
    for (const one of dualEra) {
      // verifies: VER-13, VER-14, DL-05, DL-06, SH-47, TRAP-12
      it.effect(`${one.name}: ${one.status} ${one.code ?? ""}`, () => row(DualEra, one))
    }

    it.effect("on stdio, once initialized, a second initialize is refused and both eras are served", () =>
      Effect.gen(function* () {
        const { overStdio } = yield* DualEra
        const again = yield* overStdio(initialize(1), initialize(2))
        assert.strictEqual(again.body.error.code, -32600)
        for (const message of [request(2, "tools/list"), claimed("tools/list")]) {
          assert.property((yield* overStdio(initialize(1), message)).body, "result")
        }
      })
    )
  })

  describe("where 2026-07-28 alone is served", () => {
    for (const one of modernOnly) {
      // verifies: VER-11, VER-12, HTTP-04
      it.effect(`${one.name}: ${one.status} ${one.code ?? ""}`, () =>
        Effect.map(row(ModernOnly, one), (answers) => {
          for (const { headers } of answers) {
            assert.notProperty(headers, "mcp-session-id")
            if (one.status === 405) assert.strictEqual(headers.allow, "POST, OPTIONS")
          }
        })
      )
    }

    it.effect("on stdio, a refused initialize leaves nothing behind", () =>
      Effect.gen(function* () {
        const { overStdio } = yield* ModernOnly
        assert.strictEqual(
          (yield* overStdio(initialize(1), request(2, "tools/list"))).body.error.code,
          -32602
        )
        assert.property((yield* overStdio(initialize(1), claimed("tools/list"))).body, "result")
      })
    )
  })
})
