// How the load generators read replies: a wrong one must never count as an operation.
import { assert, describe, it } from "@effect/vitest"
import { type Reply, reader } from "../../bench/load/httpReplies.mjs"
import { type Exchange, echo, list, stepping } from "../../bench/load/messages.mjs"
import { checker, eventsOf, WrongReply } from "../../bench/load/replies.mjs"
import { lineReader } from "../../bench/load/stdioClient.mjs"

const plain = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}'
const chunked =
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\nb\r\ndata: "é"\n\n\r\n0\r\n\r\n'
const empty = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"

const expected = [
  { status: 200, isStream: false, body: '{"a":1}' },
  { status: 200, isStream: true, body: 'data: 1\n\ndata: "é"\n\n' },
  { status: 202, isStream: false, body: "" }
]

const readInPieces = (text: string, size: number) => {
  const replies: Array<Reply> = []
  const { push } = reader((reply) => replies.push(reply))
  for (let at = 0; at < text.length; at += size) push(text.slice(at, at + size))
  return replies.map(({ body, isStream, status }) => ({ status, isStream, body }))
}

describe("the reader of HTTP replies", () => {
  it("finds the same replies however they arrive", () => {
    const text = plain + chunked + empty + plain
    for (let size = 1; size <= text.length; size++) {
      assert.deepStrictEqual(readInPieces(text, size), [...expected, expected[0]], `in pieces of ${size}`)
    }
  })

  it("shows what has arrived of a stream that stays open", () => {
    const { open, push } = reader(() => assert.fail("no reply has ended"))
    push(chunked.slice(0, chunked.indexOf("b\r\n")))
    assert.strictEqual(open(), "data: 1\n\n")
  })
})

describe("the reader of lines", () => {
  it("finds the same lines however they arrive", () => {
    const text = "one\ntwo\n\nthree\n"
    for (let size = 1; size <= text.length; size++) {
      const lines: Array<string> = []
      const push = lineReader((line) => lines.push(line))
      for (let at = 0; at < text.length; at += size) push(Buffer.from(text.slice(at, at + size)))
      assert.deepStrictEqual(lines, ["one", "two", "", "three"])
    }
  })
})

const texts = (id: unknown, text: string, more: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }], ...more } })

const refuses = (exchange: Exchange, body: string, isStream = false) => {
  const check = checker(exchange)
  assert.throws(() => check(body, 1000001, isStream), WrongReply)
}

describe("the check of replies", () => {
  it("passes right ones, the first as well as those that look like it", () => {
    const check = checker(echo)
    for (const id of [1000001, 1000002, 1000003]) check(texts(id, `hello ${id} hello ${id} `), id, false)
  })

  it("refuses the reply to another request, also when it looks like the last one", () => {
    const check = checker(echo)
    check(texts(1000001, "hello 1000001 hello 1000001 "), 1000001, false)
    assert.throws(() => check(texts(1000001, "hello 1000001 hello 1000001 "), 1000002, false), WrongReply)
    assert.throws(() => check(texts(1000002, "hello 1000002 hello 1000001 "), 1000002, false), WrongReply)
  })

  it.each([
    ["another id", texts(1000002, "hello 1000001 hello 1000001 ")],
    ["an id as a string", texts("1000001", "hello 1000001 hello 1000001 ")],
    ["another text", texts(1000001, "hello 1000001 ")],
    ["an error of the tool", texts(1000001, "hello 1000001 hello 1000001 ", { isError: true })],
    ["an error", '{"jsonrpc":"2.0","id":1000001,"error":{"code":-32603,"message":"no"}}']
  ])("refuses %s", (_, body) => {
    refuses(echo, body)
  })

  it("counts tools", () => {
    const tools = (names: ReadonlyArray<string>) =>
      JSON.stringify({ id: 1000001, result: { tools: names.map((name) => ({ name })) } })
    checker(list(2))(tools(["echo", "two"]), 1000001, false)
    refuses(list(2), tools(["echo"]))
    refuses(list(2), tools(["echo", "echo"]))
    refuses(list(2), tools(["one", "two"]))
  })

  it("wants every event of a stream, in order, and then the result", () => {
    const progress = (value: number) =>
      JSON.stringify({
        method: "notifications/progress",
        params: { progressToken: 1000001, progress: value }
      })
    const stream = (...messages: ReadonlyArray<string>) =>
      messages.map((message) => `event: message\ndata: ${message}\n\n`).join("")
    const exchange = stepping("progress", 2)
    const done = texts(1000001, "done")
    assert.lengthOf(eventsOf(`: comment\n\n${stream(progress(1), done)}`), 2)
    checker(exchange)(stream(progress(1), progress(2), done), 1000001, true)
    refuses(exchange, stream(progress(1), done), true)
    refuses(exchange, stream(progress(2), progress(1), done), true)
    refuses(exchange, stream(progress(1), progress(2), texts(1000001, "undone")), true)
    refuses(exchange, stream(progress(1), progress(2)), true)
  })
})
