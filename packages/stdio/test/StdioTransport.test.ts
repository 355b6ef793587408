import { PassThrough } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import * as Ask from "@pushbutton/server/Ask"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Progress from "@pushbutton/server/Progress"
import type { RequestContext } from "@pushbutton/server/RequestContext"
import * as Tool from "@pushbutton/server/Tool"
import * as StdioTransport from "@pushbutton/stdio/StdioTransport"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"

interface Peer {
  /** Writes lines as they are. */
  readonly write: (...lines: ReadonlyArray<unknown>) => Effect.Effect<void>
  readonly next: Effect.Effect<{ readonly id?: unknown; readonly [key: string]: unknown }>
  readonly hangUp: Effect.Effect<void>
  /** Completes when the server has ended. */
  readonly served: Effect.Effect<void>
  readonly lines: ReadonlyArray<string>
}

const serverWith = (
  tools: ReadonlyArray<Tool.Tool<RequestContext>>,
  options: Partial<McpServer.Options> = {}
) =>
  Layer.orDie(
    Layer.provideMerge(McpServer.tools(...tools), McpServer.layer({ name: "test", version: "1", ...options }))
  )

/** A server on two in-memory streams, and the peer at their other ends. */
const connect = (
  tools: ReadonlyArray<Tool.Tool<RequestContext>>,
  options: StdioTransport.Options = {},
  settings: Partial<McpServer.Options> = {}
) =>
  Effect.gen(function* () {
    const input = new PassThrough()
    const output = new PassThrough()
    const lines: Array<string> = []
    const messages = yield* Queue.unbounded<string>()
    let rest = ""
    output.setEncoding("utf8").on("data", (text: string) => {
      const parts = (rest + text).split("\n")
      rest = parts.pop() ?? ""
      for (const part of parts) {
        lines.push(part)
        Queue.unsafeOffer(messages, part)
      }
    })
    const server = yield* Effect.forkScoped(
      Effect.provide(StdioTransport.serve({ input, output, ...options }), serverWith(tools, settings))
    )
    const peer: Peer = {
      write: (...sent) =>
        Effect.sync(() => {
          for (const line of sent) input.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`)
        }),
      next: Effect.map(Queue.take(messages), (text) => JSON.parse(text)),
      hangUp: Effect.sync(() => void input.end()),
      served: Fiber.join(server),
      lines
    }
    return peer
  })

/** Lets everything that is ready go on, so many times. */
const turns = (count: number) =>
  Effect.repeatN(
    Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void))),
    count - 1
  )

const modern = (params: object = {}, meta: object = {}) => ({
  ...params,
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    ...meta
  }
})
const call = (id: string | number, name: string, meta?: object) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: modern({ name }, meta)
})
const handshake = {
  jsonrpc: "2.0",
  id: "h",
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "peer", version: "1" } }
}

const empty = Schema.Struct({})

/** A tool that says when it has started and then waits for a word, and whether it was interrupted. */
const gated = Effect.gen(function* () {
  const started = yield* Deferred.make<void>()
  const gate = yield* Deferred.make<void>()
  const interrupted = yield* Deferred.make<void>()
  const tool = Tool.make("gated", {
    input: empty,
    handler: () =>
      Effect.zipRight(Deferred.succeed(started, undefined), Deferred.await(gate)).pipe(
        Effect.as("through"),
        Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
      )
  })
  return { tool, started, gate, interrupted }
})

const Echo = Tool.make("echo", { input: empty, handler: () => Effect.succeed("echo") })

describe("StdioTransport", () => {
  // verifies: P-04
  it.scoped("answers a peer that logs every error into the pipe at a bounded pace, and still serves it", () =>
    Effect.gen(function* () {
      const peer = yield* connect([Echo])
      const answered = yield* Deferred.make<void>()
      const logs = Effect.flatMap(peer.next, (message) =>
        message.id === 1
          ? Deferred.succeed(answered, undefined)
          : peer.write("log: the server said something")
      )
      yield* peer.write("log: hello")
      yield* Effect.forkScoped(Effect.forever(logs))
      yield* turns(2_000)
      assert.strictEqual(peer.lines.length, 1_001)

      yield* TestClock.adjust("20 millis")
      yield* turns(500)
      assert.strictEqual(peer.lines.length, 1_021)

      yield* peer.write(call(1, "echo"))
      yield* TestClock.adjust("5 millis")
      yield* Deferred.await(answered)
    })
  )

  // verifies: VER-10, VER-14, CORE-31, P-58, LC-31, ST-09, TRAP-14
  it.scopedLive("serves both eras on one pipe, whatever came before", () =>
    Effect.gen(function* () {
      const peer = yield* connect([Echo])
      yield* peer.write(
        call(1, "echo"),
        handshake,
        { jsonrpc: "2.0", method: "notifications/initialized" },
        { jsonrpc: "2.0", id: "1", method: "tools/call", params: { name: "echo" } },
        call(2, "echo")
      )
      const answers = [yield* peer.next, yield* peer.next, yield* peer.next, yield* peer.next]
      const byId = new Map(
        answers.map((answer) => [answer.id, Object.keys(answer["result"] as object).sort()])
      )
      assert.deepStrictEqual(byId.get(1), ["_meta", "content", "resultType"])
      assert.deepStrictEqual(byId.get("h"), ["capabilities", "protocolVersion", "serverInfo"])
      assert.deepStrictEqual(byId.get("1"), ["content"])
      assert.deepStrictEqual(byId.get(2), ["_meta", "content", "resultType"])
    })
  )

  // verifies: P-03, P-05
  it.scopedLive("answers a bad line and goes on, and says nothing to a blank one", () =>
    Effect.gen(function* () {
      const peer = yield* connect([Echo])
      yield* peer.write("not json", "", "\r", `\uFEFF${JSON.stringify(call(7, "echo"))}`)
      assert.deepInclude(yield* peer.next, { jsonrpc: "2.0" })
      assert.strictEqual((yield* peer.next).id, 7)
      assert.strictEqual(peer.lines.length, 2)
    })
  )

  // verifies: P-08
  it.scopedLive("refuses a line over the limit and reads the next one", () =>
    Effect.gen(function* () {
      const peer = yield* connect([Echo], { maxMessageBytes: 400 })
      yield* peer.write("x".repeat(1_000), call(1, "echo"))
      assert.deepStrictEqual(yield* peer.next, {
        jsonrpc: "2.0",
        error: { code: -32600, message: "The message exceeds 400 bytes" }
      })
      assert.strictEqual((yield* peer.next).id, 1)
    })
  )

  // verifies: STDIO-08, CANC-03, CANC-04, CANC-06, CANC-05, STDIO-09
  it.scopedLive(
    "cancels the request that a notification names, by value and type, and sends nothing for it",
    () =>
      Effect.gen(function* () {
        const { interrupted, started, tool } = yield* gated
        const peer = yield* connect([tool, Echo])
        const cancel = (requestId: unknown) => ({
          jsonrpc: "2.0",
          method: "notifications/cancelled",
          params: { requestId }
        })
        yield* peer.write(call(5, "gated"))
        yield* Deferred.await(started)
        yield* peer.write(cancel("5"), cancel(6), cancel(null), cancel(5))
        yield* Deferred.await(interrupted)
        yield* peer.write(call(8, "echo"))
        assert.strictEqual((yield* peer.next).id, 8)
        yield* peer.hangUp
        yield* peer.served
        assert.strictEqual(peer.lines.length, 1)
      })
  )

  it.scopedLive("refuses an id that is still in flight and lets the first request finish", () =>
    Effect.gen(function* () {
      const { gate, started, tool } = yield* gated
      const peer = yield* connect([tool])
      yield* peer.write(call(1, "gated"))
      yield* Deferred.await(started)
      yield* peer.write(call(1, "gated"))
      assert.deepInclude(yield* peer.next, {
        id: 1,
        error: { code: -32600, message: "A request with this id is still in flight" }
      })
      yield* Deferred.succeed(gate, undefined)
      assert.property(yield* peer.next, "result")
    })
  )

  it.scopedLive("lets running requests finish when the input ends", () =>
    Effect.gen(function* () {
      const { gate, started, tool } = yield* gated
      const peer = yield* connect([tool], { drainGrace: "1 minute" })
      yield* peer.write(call(1, "gated"))
      yield* Deferred.await(started)
      yield* peer.hangUp
      yield* Deferred.succeed(gate, undefined)
      yield* peer.served
      assert.property(yield* peer.next, "result")
    })
  )

  // verifies: STDIO-10, ST-06
  it.scopedLive("ends what outlasts the grace period after the end of input, and says so", () =>
    Effect.gen(function* () {
      const { interrupted, started, tool } = yield* gated
      const peer = yield* connect([tool], { drainGrace: 0 })
      yield* peer.write(call(1, "gated"))
      yield* Deferred.await(started)
      yield* peer.hangUp
      yield* Deferred.await(interrupted)
      yield* peer.served
      assert.deepInclude(yield* peer.next, {
        id: 1,
        error: { code: -32603, message: "The server is shutting down" }
      })
    })
  )

  it.scopedLive("sends progress of a request before its response", () =>
    Effect.gen(function* () {
      const steps = Tool.make("steps", {
        input: empty,
        handler: () =>
          Effect.as(
            Effect.forEach([1, 2], (progress) => Progress.report({ progress })),
            "done"
          )
      })
      const peer = yield* connect([steps])
      yield* peer.write(call(1, "steps", { progressToken: "" }))
      for (const progress of [1, 2]) {
        assert.deepInclude(yield* peer.next, { params: { progressToken: "", progress } })
      }
      assert.strictEqual((yield* peer.next).id, 1)
    })
  )

  // verifies: LOG-04
  it.scopedLive("sends what a handler logs ahead of the response, to a request that asked", () =>
    Effect.gen(function* () {
      const logs = Tool.make("logs", {
        input: empty,
        handler: () => Effect.as(Effect.logInfo("hello"), "done")
      })
      const peer = yield* connect([logs], {}, { logging: true })
      yield* peer.write(
        call(1, "logs", { "io.modelcontextprotocol/logLevel": "info" }),
        call(2, "logs"),
        call(3, "logs", { "io.modelcontextprotocol/logLevel": "notice" })
      )
      assert.deepInclude(yield* peer.next, {
        method: "notifications/message",
        params: { level: "info", data: "hello" }
      })
      for (const id of [1, 2, 3]) assert.strictEqual((yield* peer.next).id, id)
    }).pipe(Effect.provide(Logger.remove(Logger.defaultLogger)))
  )

  // verifies: P-10
  it.scopedLive("ends when the reader of its output has gone, cancelling what runs", () =>
    Effect.gen(function* () {
      const { interrupted, started, tool } = yield* gated
      const input = new PassThrough()
      const output = new PassThrough()
      const server = yield* Effect.fork(
        Effect.provide(StdioTransport.serve({ input, output, drainGrace: 0 }), serverWith([tool]))
      )
      input.write(`${JSON.stringify(call(1, "gated"))}\n`)
      yield* Deferred.await(started)
      output.destroy(new Error("EPIPE"))
      yield* Deferred.await(interrupted)
      yield* Fiber.join(server)
    })
  )

  // verifies: P-13
  it.scopedLive("makes a handler wait for a reader that stalls, and keeps every line", () =>
    Effect.gen(function* () {
      const count = 200
      const sent: Array<number> = []
      const chatty = Tool.make("chatty", {
        input: empty,
        handler: () =>
          Effect.as(
            Effect.forEach(
              Array.from({ length: count }, (_, index) => index + 1),
              (progress) =>
                Effect.zipRight(
                  Progress.report({ progress, message: "x".repeat(1_000) }),
                  Effect.sync(() => sent.push(progress))
                )
            ),
            "done"
          )
      })
      const input = new PassThrough()
      const output = new PassThrough({ highWaterMark: 1_000 })
      const server = serverWith([chatty], { progress: { burst: count } })
      yield* Effect.forkScoped(Effect.provide(StdioTransport.serve({ input, output }), server))
      input.write(`${JSON.stringify(call(1, "chatty", { progressToken: 1 }))}\n`)
      yield* Effect.async<void>((resume) => {
        output.once("readable", () => resume(Effect.void))
      })
      assert.isBelow(sent.length, count)
      const all = yield* Effect.async<string>((resume) => {
        let text = ""
        output.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk
          if (text.includes('"id":1')) resume(Effect.succeed(text))
        })
      })
      assert.strictEqual(all.trimEnd().split("\n").length, count + 1)
    })
  )

  it.scopedLive("carries a question in one line, and its answer in the next request", () =>
    Effect.gen(function* () {
      const greet = Tool.make("greet", {
        input: Schema.Struct({}),
        handler: () => {
          const schema = Schema.Struct({ name: Schema.String })
          return Effect.map(
            Ask.orFail(Ask.form("name", { message: "Name?", schema })),
            ({ name }) => `Hello ${name}`
          )
        }
      })
      const peer = yield* connect([greet])
      const capable = { "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } }
      const asked = call(1, "greet", capable)
      yield* peer.write(asked)
      const { result } = JSON.parse(JSON.stringify(yield* peer.next))
      assert.strictEqual(result.resultType, "input_required")
      const { requestState } = result
      const inputResponses = { name: { action: "accept", content: { name: "Ada" } } }
      yield* peer.write({ ...asked, id: 2, params: { ...asked.params, requestState, inputResponses } })
      const done = JSON.parse(JSON.stringify(yield* peer.next))
      assert.strictEqual(done.result.content[0].text, "Hello Ada")
    })
  )
})
