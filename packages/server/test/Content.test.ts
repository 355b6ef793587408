import { assert, describe, it } from "@effect/vitest"
import * as Content from "@pushbutton/server/Content"
import * as fc from "effect/FastCheck"

describe("Content", () => {
  it("makes blocks with the members that were given", () => {
    const extras = { annotations: { priority: 0 }, meta: { n: 0 } }
    const members = { annotations: { priority: 0 }, _meta: { n: 0 } }
    assert.deepStrictEqual(Content.text(""), { type: "text", text: "" })
    assert.deepStrictEqual(Content.text("a", extras), { type: "text", text: "a", ...members })
    assert.deepStrictEqual(Content.image(Uint8Array.of(0), "image/png", extras), {
      type: "image",
      data: "AA==",
      mimeType: "image/png",
      ...members
    })
    assert.deepStrictEqual(Content.audio(new Uint8Array(), "audio/wav"), {
      type: "audio",
      data: "",
      mimeType: "audio/wav"
    })
    assert.deepStrictEqual(Content.link({ uri: "x:", name: "x", size: 0 }), {
      type: "resource_link",
      uri: "x:",
      name: "x",
      size: 0
    })
  })

  // verifies: PROM-10
  it("puts annotations and metadata of an embedded resource on the block, and the item's own inside", () => {
    assert.deepStrictEqual(
      Content.resource(
        { uri: "x:", text: "", mimeType: "text/plain", meta: { inner: true } },
        { annotations: { priority: 1 }, meta: { outer: true } }
      ),
      {
        type: "resource",
        resource: { uri: "x:", mimeType: "text/plain", _meta: { inner: true }, text: "" },
        annotations: { priority: 1 },
        _meta: { outer: true }
      }
    )
    assert.deepStrictEqual(Content.resource({ uri: "x:", blob: Uint8Array.of(251, 255) }).resource, {
      uri: "x:",
      blob: "+/8="
    })
  })

  // verifies: PROM-09
  it.prop("writes bytes in the standard alphabet of Base64, padded", [fc.uint8Array()], ([bytes]) => {
    const { data } = Content.image(bytes, "image/png")
    assert.strictEqual(data, Buffer.from(bytes).toString("base64"))
  })
})
