/** What an agent left out is asked for, where its client can be asked. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Conversation from "../support/conversation.js"
import { button } from "../support/definitions.js"
import { exited, server } from "../support/served.js"

const deploy = button("deploy", {
  description: "Ships it",
  mcp_enabled: true,
  args: [
    { name: "env", type: "enum", required: true, values: ["staging", "prod"] },
    { name: "count", type: "int", required: true },
    { name: "dry-run", type: "bool", required: true },
    { name: "note", type: "string", required: false }
  ]
})
const login = button("login", {
  mcp_enabled: true,
  args: [
    { name: "user", type: "string", required: true },
    { name: "api_token", type: "string", required: true }
  ]
})

/** Presses over one client; the programs' environments are noted. */
const asking = <A>(
  use: (
    client: Effect.Effect.Success<typeof Conversation.client>,
    started: Array<unknown>
  ) => Effect.Effect<A>
) => {
  const started: Array<unknown> = []
  const served = server([deploy, login], ({ env }) =>
    Effect.as(
      Effect.sync(() => void started.push(env)),
      exited("shipped")
    )
  )
  return Effect.scoped(
    Effect.provide(
      Effect.flatMap(Conversation.client, (client) => use(client, started)),
      served
    )
  )
}

const press = { name: "deploy", args: { env: "prod" } }
const canBeAsked = { capabilities: Conversation.asks }

/** The retry of a call with an answer to its question. */
const answered = (reply: Conversation.Reply, response: object) => ({
  name: "buttons_press",
  arguments: press,
  inputResponses: { arguments: response },
  requestState: reply["requestState"]
})

describe("arguments that are missing", () => {
  it.effect("are asked for in one form that holds nothing else, and then the button is pressed", () =>
    asking((client, started) =>
      Effect.gen(function* () {
        const question = yield* client.call("buttons_press", press, canBeAsked)
        assert.strictEqual(question["resultType"], "input_required")
        assert.deepStrictEqual(question["inputRequests"], {
          arguments: {
            method: "elicitation/create",
            params: {
              mode: "form",
              message: 'To press button "deploy" (Ships it), fill in what is missing.',
              requestedSchema: {
                type: "object",
                properties: {
                  count: { type: "integer", title: "count" },
                  "dry-run": { type: "boolean", title: "dry-run" }
                },
                required: ["count", "dry-run"]
              }
            }
          }
        })
        assert.deepStrictEqual(started, [])
        const reply = yield* client.send(
          "tools/call",
          answered(question, { action: "accept", content: { count: 3, "dry-run": false } }),
          canBeAsked
        )
        assert.strictEqual(Conversation.said(reply).stdout, "shipped")
        assert.strictEqual(started.length, 1)
        assert.deepInclude(started[0], {
          BUTTONS_ARG_ENV: "prod",
          BUTTONS_ARG_COUNT: "3",
          BUTTONS_ARG_DRY_RUN: "false"
        })
      })
    )
  )

  it.effect.each([
    ["decline", "declined to give it"],
    ["cancel", "dismissed the question"]
  ] as const)("that the user answers with %s are a refusal that says so", ([action, words]) =>
    asking((client, started) =>
      Effect.gen(function* () {
        const question = yield* client.call("buttons_press", press, canBeAsked)
        const reply = yield* client.send("tools/call", answered(question, { action }), canBeAsked)
        assert.isTrue(reply["isError"])
        assert.deepInclude(Conversation.said(reply), {
          code: "MISSING_ARG",
          message: `"count" is required, and the user ${words}; "dry-run" is required, and the user ${words}`
        })
        assert.deepStrictEqual(started, [])
      })
    )
  )

  it.effect.each([
    ["the client cannot be asked", press, {}, "MISSING_ARG"],
    ["one of them may be a secret", { name: "login" }, Conversation.asks, "MISSING_ARG"],
    [
      "something else is wrong too",
      { name: "deploy", args: { ENV: "prod" } },
      Conversation.asks,
      "VALIDATION_ERROR"
    ]
  ] as const)("are refused at once where %s", ([, args, capabilities, code]) =>
    asking((client, started) =>
      Effect.gen(function* () {
        const reply = yield* client.call("buttons_press", args, { capabilities })
        assert.isTrue(reply["isError"])
        assert.strictEqual(Conversation.said(reply).code, code)
        assert.deepStrictEqual(started, [])
      })
    )
  )
})
