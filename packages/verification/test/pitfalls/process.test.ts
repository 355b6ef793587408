/** How the binary begins and ends, and what it bears in between. */
import { spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { Agent, get } from "node:http"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Binary from "../support/binary.js"
import { dataFolder } from "../support/buttons.js"
import { initialize, modern, modernPress } from "../support/messages.js"
import * as Pipe from "../support/pipe.js"
import * as RawHttp from "../support/rawHttp.js"
import * as RawStdio from "../support/rawStdio.js"

const ended = { code: 0, signal: null }

describe("pushbutton stdio begins", () => {
  // verifies: P-03
  it.scopedLive.each([
    ["a bad line", "not json\n", 1],
    ["a byte order mark", "\uFEFF", 0]
  ] as const)("although %s comes first", ([, first, replies]) =>
    Effect.gen(function* () {
      const raw = yield* RawStdio.open(yield* dataFolder)
      yield* raw.sendBytes(Buffer.from(first))
      yield* raw.send(initialize(1))
      assert.property(yield* raw.responseTo(1), "result")
      assert.strictEqual(raw.seen.length, replies + 1)
      if (replies > 0) assert.strictEqual(raw.seen[0]?.error?.code, -32700)
    })
  )
})

describe("pushbutton stdio serves on", () => {
  // verifies: P-05
  it.scopedLive("around a line that cannot be read, which gets the only reply without an id", () =>
    Effect.gen(function* () {
      const raw = yield* RawStdio.open(yield* dataFolder)
      yield* raw.send(modern(4, "server/discover"), "garbage", modern(5, "server/discover"))
      yield* raw.send(modern("last", "server/discover"))
      yield* raw.responseTo("last")
      assert.deepStrictEqual(
        raw.seen.map((message) => ("id" in message ? message.id : message.error?.code)),
        [4, -32700, 5, "last"]
      )
    })
  )

  // verifies: P-15
  it.scopedLive("when much is logged to a host that never reads it", () =>
    Effect.gen(function* () {
      const folder = yield* dataFolder
      for (let number = 0; number < 1_500; number++) {
        const broken = join(folder, "buttons", `broken-${number}-${"x".repeat(100)}`)
        mkdirSync(broken)
        writeFileSync(join(broken, "button.json"), "{")
      }
      const raw = yield* RawStdio.open(folder)
      raw.binary.process.stderr.pause()
      yield* raw.send(modern("list", "tools/call", { name: "buttons_list" }))
      assert.property(yield* raw.responseTo("list"), "result")
      yield* raw.send(modernPress("greet", "greet", { who: "x" }))
      assert.property(yield* raw.responseTo("greet"), "result")
      yield* raw.hangUp
      raw.binary.process.stderr.resume()
      assert.deepStrictEqual(yield* raw.binary.exited, ended)
    })
  )
})

describe("pushbutton stdio ends", () => {
  // verifies: P-11
  it.scopedLive("when there is no input, and when it ends behind `initialize`", () =>
    Effect.gen(function* () {
      const folder = yield* dataFolder
      const idle = yield* Binary.start(["stdio", "--dir", folder])
      idle.process.stdin.end()
      assert.deepStrictEqual(yield* idle.exited, ended)
      assert.strictEqual(idle.stdout(), "")
      const brief = yield* RawStdio.open(folder)
      yield* brief.send(initialize(1))
      yield* brief.hangUp
      assert.deepStrictEqual(yield* brief.binary.exited, ended)
      assert.strictEqual(JSON.parse(brief.binary.stdout()).id, 1)
    })
  )

  // verifies: P-10
  it.scopedLive("when its client vanishes with both pipes during a press, with which it ends", () =>
    Effect.gen(function* () {
      const raw = yield* RawStdio.open(yield* dataFolder, ["--grace", "0"])
      const pipe = yield* Pipe.make
      yield* raw.send(modernPress(1, "hold", { pipe: pipe.path }))
      yield* pipe.opened
      raw.binary.process.stdout.destroy()
      raw.binary.process.stdin.destroy()
      yield* pipe.released
      assert.deepStrictEqual(yield* raw.binary.exited, ended)
      assert.notMatch(raw.binary.stderr(), /EPIPE|\n\s+at /)
    })
  )

  // verifies: P-14, P-101
  it.scopedLive("at a signal, although its input goes on", () =>
    Effect.gen(function* () {
      const raw = yield* RawStdio.open(yield* dataFolder, ["--grace", "0"])
      const pipe = yield* Pipe.make
      yield* raw.send(modernPress(1, "hold", { pipe: pipe.path }))
      yield* pipe.opened
      raw.binary.process.kill("SIGTERM")
      yield* pipe.released
      assert.deepStrictEqual(yield* raw.binary.exited, ended)
    })
  )

  // verifies: P-14
  it.scopedLive("when the program that started it is killed, before its first answer", () =>
    Effect.gen(function* () {
      const folder = yield* dataFolder
      const args = [Binary.script, "stdio", "--dir", folder]
      const host = `
        const child = require("node:child_process").spawn(process.execPath, ${JSON.stringify(args)}, {
          stdio: ["pipe", "pipe", "inherit"]
        })
        child.stdin.write(${JSON.stringify(`${JSON.stringify(initialize(1))}\n`)})
        process.stdout.write("started")`
      const parent = yield* Effect.acquireRelease(
        Effect.sync(() => spawn(process.execPath, ["-e", host], { stdio: ["ignore", "pipe", "pipe"] })),
        (child) => Effect.sync(() => void child.kill("SIGKILL"))
      )
      // Both processes hold it, so it closes when both have ended.
      const bothEnded = new Promise((resolve) => parent.stderr.once("close", resolve))
      parent.stderr.resume()
      yield* Effect.async<void>((resume) => {
        parent.stdout.once("data", () => resume(Effect.void))
      })
      parent.kill("SIGKILL")
      yield* Effect.promise(() => bothEnded)
    })
  )
})

describe("pushbutton http ends", () => {
  // verifies: P-44
  it.scopedLive("at a signal, although a connection idles, a stream is open and a press runs", () =>
    Effect.gen(function* () {
      const binary = yield* Binary.http(yield* dataFolder, ["--grace", "0"])
      const agent = new Agent({ keepAlive: true })
      yield* Effect.async<void>((resume) => {
        agent.once("free", () => resume(Effect.void))
        get(binary.url, { agent }, (response) => response.resume())
      })
      const listening = yield* Effect.promise(() =>
        RawHttp.fetchRaw(binary.url, {
          body: modern("listen", "subscriptions/listen", { notifications: { toolsListChanged: true } })
        })
      )
      const pipe = yield* Pipe.make
      const pressing = RawHttp.fetchRaw(binary.url, {
        body: modernPress("press", "hold", { pipe: pipe.path })
      })
      yield* pipe.opened
      binary.process.kill("SIGTERM")
      yield* pipe.released
      const press: RawHttp.Json = yield* Effect.promise(async () => (await pressing).json())
      assert.deepStrictEqual([press.id, press.error.code], ["press", -32603])
      const events = RawHttp.eventsOf(yield* Effect.promise(() => listening.text()))
      assert.deepInclude(events.at(-1), { id: "listen" })
      assert.deepStrictEqual(yield* binary.exited, ended)
      agent.destroy()
    })
  )
})
