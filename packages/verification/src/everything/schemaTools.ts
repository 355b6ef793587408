/** Tools whose schemas matter more than what they do. */
import * as Tool from "@pushbutton/server/Tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Published as it stands here, and checked by a validator of JSON Schema. */
export const jsonSchema = Tool.fromJsonSchema("json_schema_2020_12_tool", {
  description: "Takes a contact, described by every feature of JSON Schema 2020-12 that clients trip over",
  inputSchema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } }
      }
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" }
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false
  },
  handler: (contact) => Effect.succeed(`Contact: ${JSON.stringify(contact)}`)
})

/** An array as the whole structured content, which older revisions cannot carry. */
export const arrayOutput = Tool.fromJsonSchema("test_array_output", {
  description: "Counts to a number",
  inputSchema: {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { to: { type: "integer", minimum: 0, maximum: 100 } },
    required: ["to"]
  },
  outputSchema: { type: "array", items: { type: "integer" } },
  handler: ({ to }) => Effect.succeed(Array.from({ length: Number(to) }, (_, index) => index + 1))
})

/** Arguments that clients mirror in headers; the first one is a string, for clients that try one. */
export const headers = Tool.make("test_x_mcp_header", {
  description: "Takes arguments that HTTP clients mirror in headers",
  input: Schema.Struct({
    region: Schema.String.pipe(Tool.header("Region")),
    priority: Schema.optional(Schema.Int.pipe(Tool.header("Priority"))),
    dryRun: Schema.optional(Schema.Boolean.pipe(Tool.header("Dry-Run"))),
    target: Schema.optional(Schema.Struct({ zone: Schema.String.pipe(Tool.header("Zone")) }))
  }),
  handler: ({ region }) => Effect.succeed(`Region: ${region}`)
})
