/** Tools that ask the client before they can answer, on every revision that has a way to ask. */
import * as Sampling from "@pushbutton/protocol/Sampling"
import * as Ask from "@pushbutton/server/Ask"
import * as Progress from "@pushbutton/server/Progress"
import * as Step from "@pushbutton/server/Step"
import * as Tool from "@pushbutton/server/Tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const nothing = Schema.Struct({})

const userName = Ask.form("user_name", {
  message: "What is your name?",
  schema: Schema.Struct({ name: Schema.String })
})

const capital = Ask.sample("capital_question", {
  messages: [{ role: "user", content: { type: "text", text: "What is the capital of France?" } }],
  maxTokens: 100
})

const folders = Ask.roots("client_roots")

const confirm = Ask.form("confirm", {
  message: "Please confirm.",
  schema: Schema.Struct({ ok: Schema.Boolean })
})

export const elicitation = Tool.make("test_input_required_result_elicitation", {
  description: "Asks for a name",
  input: nothing,
  handler: () => Effect.map(Ask.orFail(userName), ({ name }) => `Hello, ${name}!`)
})

export const sampling = Tool.make("test_input_required_result_sampling", {
  description: "Asks the client's model for a capital",
  input: nothing,
  handler: () => Effect.map(Ask.orFail(capital), Sampling.textOf)
})

export const listRoots = Tool.make("test_input_required_result_list_roots", {
  description: "Asks for the client's folders",
  input: nothing,
  handler: () =>
    Effect.map(Ask.orFail(folders), (roots) => roots.map(({ uri }) => uri).join("\n") || "No folders.")
})

export const requestState = Tool.make("test_input_required_result_request_state", {
  description: "Asks for a confirmation and remembers what it did before",
  input: nothing,
  handler: () =>
    Effect.gen(function* () {
      const before = yield* Step.once("before", Effect.succeed("state-ok"), Schema.String)
      const { ok } = yield* Ask.orFail(confirm)
      return ok ? before : "not confirmed"
    })
})

export const multipleInputs = Tool.make("test_input_required_result_multiple_inputs", {
  description: "Asks the user, the model and the client at once",
  input: nothing,
  handler: () =>
    Effect.map(Ask.all({ userName, capital, folders }), (outcomes) =>
      Object.entries(outcomes)
        .map(([name, { _tag }]) => `${name}: ${_tag}`)
        .join("\n")
    )
})

export const multiRound = Tool.make("test_input_required_result_multi_round", {
  description: "Asks twice, one question after the other",
  input: nothing,
  handler: () =>
    Effect.gen(function* () {
      const { name } = yield* Ask.orFail(
        Ask.form("step1", {
          message: "Step 1: What is your name?",
          schema: Schema.Struct({ name: Schema.String })
        })
      )
      const { color } = yield* Ask.orFail(
        Ask.form("step2", {
          message: `Step 2: Which colour do you like, ${name}?`,
          schema: Schema.Struct({ color: Schema.String })
        })
      )
      return `${name} likes ${color}.`
    })
})

export const tamperedState = Tool.make("test_input_required_result_tampered_state", {
  description: "Asks for a confirmation that nobody can forge",
  input: nothing,
  handler: () => Effect.map(Ask.orFail(confirm), ({ ok }) => (ok ? "confirmed" : "not confirmed"))
})

export const capabilities = Tool.make("test_input_required_result_capabilities", {
  description: "Asks whoever can be asked",
  input: nothing,
  handler: () =>
    Effect.gen(function* () {
      if (yield* Ask.supports("form")) return (yield* Ask.orFail(userName)).name
      if (yield* Ask.supports("sampling")) return Sampling.textOf(yield* Ask.orFail(capital))
      return "Nobody can be asked."
    })
})

export const missingCapability = Tool.make("test_missing_capability", {
  description: "Needs a client with a model",
  input: nothing,
  handler: () => Effect.map(Ask.orFail(capital), Sampling.textOf)
})

export const streamingElicitation = Tool.make("test_streaming_elicitation", {
  description: "Reports progress, then asks",
  input: nothing,
  handler: () =>
    Effect.gen(function* () {
      yield* Progress.report({ progress: 1, message: "about to ask" })
      const { name } = yield* Ask.orFail(userName)
      return `Hello, ${name}!`
    })
})
