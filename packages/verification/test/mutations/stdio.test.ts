import { PassThrough } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import * as StdioTransport from "@pushbutton/stdio/StdioTransport"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import { cancelled, modern } from "../support/messages.js"
import { Account } from "./support/account.js"
import * as Fixture from "./support/fixture.js"
import * as Generate from "./support/generate.js"
import * as Random from "./support/random.js"

const count = 20_000
const batch = 500

/** The fixture at the other end of a pipe. */
const connect = Effect.gen(function* () {
  const { broken, layer } = yield* Fixture.make
  const input = new PassThrough()
  const output = new PassThrough()
  const account = new Account()
  let whenSettled = () => {}
  let barrier: string | undefined
  const send = (line: Uint8Array | object) => {
    input.write(line instanceof Uint8Array ? line : JSON.stringify(line))
    input.write("\n")
  }
  let rest = ""
  output.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      const opened = account.received(line)
      if (opened !== undefined) send(cancelled(opened))
      if (barrier !== undefined && line.includes(barrier)) barrier = undefined
    }
    if (barrier === undefined && account.owed.size === 0) whenSettled()
  })
  yield* Layer.build(Layer.provide(StdioTransport.layer({ input, output, drainGrace: 0 }), layer))
  return {
    account,
    broken,
    send: (mutant: Generate.Mutant) => {
      account.sent(mutant)
      send(mutant.line)
    },
    /** Completes when everything is answered. */
    settled: (name: string) =>
      Effect.suspend(() => {
        const settled = Deferred.unsafeMake<void>(FiberId.none)
        whenSettled = () => Deferred.unsafeDone(settled, Effect.void)
        barrier = name
        account.calls(name, "server/discover")
        send(modern(name, "server/discover"))
        return Deferred.await(settled)
      })
  }
})

describe("mutated messages on stdio", () => {
  // verifies: CORE-21, PROG-12, LOG-08, TOOL-24, TOOL-28, CORE-02, CORE-04, CORE-09, CORE-10, CORE-11
  // verifies: CORE-14, CORE-20, CORE-22, CORE-24, CORE-28, META-14, META-17, STDIO-02, STDIO-05, SUB-19
  it.scopedLive(
    `${count} of them are answered by the schema, each request once, and break nothing`,
    () =>
      Effect.gen(function* () {
        const { seed } = Random
        const random = Random.make(seed)
        const peer = yield* connect
        for (let number = 0; number < count; ) {
          for (let end = number + batch; number < end; number++) peer.send(Generate.mutant(number, random))
          yield* peer.settled(`barrier ${number}`).pipe(Effect.timeoutOption(Fixture.patience))
          const [unanswered] = peer.account.owed.values()
          assert.isUndefined(unanswered && Generate.describe(seed, unanswered), "never answered")
          assert.deepStrictEqual(
            peer.account.problems.slice(0, 3),
            [],
            `seed ${seed}, before mutant ${number}`
          )
          assert.deepStrictEqual(peer.broken.slice(0, 3), [], `seed ${seed}, before mutant ${number}`)
        }
      }),
    // Twenty thousand messages, next to everything else that a test run keeps busy.
    180_000
  )
})
