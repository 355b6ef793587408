/** Tools that ask with whatever arguments they get, and with every kind of field a form can have. */
import * as Sampling from "@pushbutton/protocol/Sampling"
import * as Ask from "@pushbutton/server/Ask"
import * as Tool from "@pushbutton/server/Tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const nothing = Schema.Struct({})

const response = (outcome: Ask.Outcome<unknown>): string =>
  outcome._tag === "Accepted"
    ? `User response: accept ${JSON.stringify(outcome.content)}`
    : `User response: ${outcome._tag.toLowerCase()}`

export const sampling = Tool.make("test_sampling", {
  description: "Gives a prompt to the client's model",
  input: Schema.Struct({ prompt: Schema.String }),
  handler: ({ prompt }) =>
    Effect.map(
      Ask.orFail(
        Ask.sample("completion", {
          messages: [{ role: "user", content: { type: "text", text: prompt } }],
          maxTokens: 100
        })
      ),
      (result) => `LLM response: ${Sampling.textOf(result)}`
    )
})

export const elicitation = Tool.make("test_elicitation", {
  description: "Asks the user for a name and an address",
  input: Schema.Struct({ message: Schema.String }),
  handler: ({ message }) =>
    Effect.map(
      Ask.form("user", { message, schema: Schema.Struct({ username: Schema.String, email: Schema.String }) }),
      response
    )
})

export const defaults = Tool.make("test_elicitation_sep1034_defaults", {
  description: "Asks with a form whose fields are filled in already",
  input: nothing,
  handler: () =>
    Effect.map(
      Ask.form("defaults", {
        message: "Please review and update the form fields with defaults",
        schema: {
          type: "object",
          properties: {
            name: { type: "string", description: "User name", default: "John Doe" },
            age: { type: "integer", description: "User age", default: 30 },
            score: { type: "number", description: "User score", default: 95.5 },
            status: {
              type: "string",
              description: "User status",
              enum: ["active", "inactive", "pending"],
              default: "active"
            },
            verified: { type: "boolean", description: "Verification status", default: true }
          }
        }
      }),
      response
    )
})

const titled = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    const: `value${index + 1}`,
    title: `${["First", "Second", "Third"][index]} option`
  }))

export const enums = Tool.make("test_elicitation_sep1330_enums", {
  description: "Asks with every kind of choice",
  input: nothing,
  handler: () =>
    Effect.map(
      Ask.form("enums", {
        message: "Please select options from the enum fields",
        schema: {
          type: "object",
          properties: {
            untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
            titledSingle: { type: "string", oneOf: titled(3) },
            legacyEnum: {
              type: "string",
              enum: ["opt1", "opt2", "opt3"],
              enumNames: ["Option one", "Option two", "Option three"]
            },
            untitledMulti: {
              type: "array",
              items: { type: "string", enum: ["option1", "option2", "option3"] },
              minItems: 1,
              maxItems: 3
            },
            titledMulti: { type: "array", items: { anyOf: titled(3) }, minItems: 1, maxItems: 3 }
          }
        }
      }),
      response
    )
})

export const url = Tool.make("test_url_elicitation", {
  description: "Asks the user to open a page",
  input: nothing,
  handler: () =>
    Effect.map(
      Ask.url("page", { message: "Please sign in.", url: "https://example.com/sign-in" }),
      (outcome) => `User response: ${outcome._tag.toLowerCase()}`
    )
})
