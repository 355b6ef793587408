import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Json } from "../support/rawHttp.js"
import { overHttp } from "./support/served.js"

const png = Buffer.from("89504e470d0a1a0a", "hex")

const isPng = (data: string) => Buffer.from(data, "base64").subarray(0, 8).equals(png)
const isWav = (data: string) => Buffer.from(data, "base64").subarray(0, 4).toString() === "RIFF"

describe("what the fixture offers", () => {
  it.scopedLive("is what the conformance suite describes: tools", () =>
    Effect.gen(function* () {
      const { ask } = yield* overHttp
      const call = (name: string, args?: object) =>
        Effect.map(ask("tools/call", { name, ...(args && { arguments: args }) }), ({ body }) => body.result)
      const { tools } = (yield* ask("tools/list")).body.result
      assert.strictEqual(tools[0].name, "test_simple_text")
      assert.deepStrictEqual((yield* call("test_simple_text")).content, [
        { type: "text", text: "This is a simple text response for testing." }
      ])
      const [image] = (yield* call("test_image_content")).content
      assert.strictEqual(image.mimeType, "image/png")
      assert.isTrue(isPng(image.data))
      const [audio] = (yield* call("test_audio_content")).content
      assert.strictEqual(audio.mimeType, "audio/wav")
      assert.isTrue(isWav(audio.data))
      assert.deepStrictEqual((yield* call("test_embedded_resource")).content, [
        {
          type: "resource",
          resource: {
            uri: "test://embedded-resource",
            mimeType: "text/plain",
            text: "This is an embedded resource content."
          }
        }
      ])
      const mixed = (yield* call("test_multiple_content_types")).content
      assert.deepStrictEqual(
        mixed.map(({ type }: Json) => type),
        ["text", "image", "resource"]
      )
      const failed = yield* call("test_error_handling")
      assert.isTrue(failed.isError)
      assert.strictEqual(failed.content[0].text, "This tool intentionally returns an error for testing")
      assert.deepStrictEqual((yield* call("test_structured_content", { city: "Ulm" })).structuredContent, {
        city: "Ulm",
        degrees: 21.5
      })
      assert.deepStrictEqual((yield* call("test_array_output", { to: 3 })).structuredContent, [1, 2, 3])
      assert.strictEqual((yield* call("greet", { name: "Ada" })).content[0].text, "Hello, Ada!")
    })
  )

  // verifies: RES-18
  it.scopedLive("is what the conformance suite describes: resources", () =>
    Effect.gen(function* () {
      const { ask } = yield* overHttp
      const read = (uri: string) =>
        Effect.map(ask("resources/read", { uri }), ({ body }) => body.result.contents)
      assert.deepStrictEqual(yield* read("test://static-text"), [
        {
          uri: "test://static-text",
          mimeType: "text/plain",
          text: "This is the content of the static text resource."
        }
      ])
      const [binary] = yield* read("test://static-binary")
      assert.strictEqual(binary.mimeType, "image/png")
      assert.isTrue(isPng(binary.blob))
      const [data] = yield* read("test://template/123/data")
      assert.strictEqual(data.uri, "test://template/123/data")
      assert.deepStrictEqual(JSON.parse(data.text), {
        id: "123",
        templateTest: true,
        data: "Data for ID: 123"
      })
    })
  )

  it.scopedLive("is what the conformance suite describes: prompts and completion", () =>
    Effect.gen(function* () {
      const { ask } = yield* overHttp
      const get = (name: string, args?: object) =>
        Effect.map(
          ask("prompts/get", { name, ...(args && { arguments: args }) }),
          ({ body }) => body.result.messages
        )
      assert.deepStrictEqual(yield* get("test_simple_prompt"), [
        { role: "user", content: { type: "text", text: "This is a simple prompt for testing." } }
      ])
      const [said] = yield* get("test_prompt_with_arguments", { arg1: "a", arg2: "b" })
      assert.strictEqual(said.content.text, "Prompt with arguments: arg1='a', arg2='b'")
      const [embedded] = yield* get("test_prompt_with_embedded_resource", { resourceUri: "test://x" })
      assert.strictEqual(embedded.content.resource.uri, "test://x")
      const [image] = yield* get("test_prompt_with_image")
      assert.isTrue(isPng(image.content.data))
      const completed = yield* ask("completion/complete", {
        ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
        argument: { name: "arg1", value: "test" }
      })
      assert.deepStrictEqual(completed.body.result.completion.values, ["test1", "test2"])
    })
  )

  it.scopedLive("is what the conformance suite describes: the state of a call", () =>
    Effect.gen(function* () {
      const { ask } = yield* overHttp
      const params = { name: "test_input_required_result_request_state" }
      const { requestState } = (yield* ask("tools/call", params)).body.result
      const inputResponses = { confirm: { action: "accept", content: { ok: true } } }
      const done = yield* ask("tools/call", { ...params, inputResponses, requestState })
      assert.strictEqual(done.body.result.content[0].text, "state-ok")
    })
  )
})
