import { assert, describe, layer } from "@effect/vitest"
import * as Ask from "@pushbutton/server/Ask"
import * as McpServer from "@pushbutton/server/McpServer"
import { RequestContext } from "@pushbutton/server/RequestContext"
import * as Resource from "@pushbutton/server/Resource"
import * as ResourceContents from "@pushbutton/server/ResourceContents"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import { modern, send } from "./support/conversation.js"
import { ask, errorOf, resultOf, versions } from "./support/requests.js"

class Notes extends Context.Tag("test/Notes")<
  Notes,
  { readonly get: (id: string) => string | undefined }
>() {}

class DiskFull extends Data.TaggedError("DiskFull")<{ readonly disk: string }> {}

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0xfb, 0xff])

let reads = 0

const Text = Resource.make("test://static-text", {
  name: "static-text",
  title: "Static text",
  description: "A text",
  mimeType: "text/plain",
  size: 5,
  annotations: { audience: ["user"], priority: 0, lastModified: "2025-01-12T15:00:58Z" },
  icons: [{ src: "data:image/png;base64,AA==" }],
  meta: { "com.example/n": 1 },
  ttlMs: 60_000,
  cacheScope: "public",
  handler: () => Effect.sync(() => `read ${++reads}`)
})

const Binary = Resource.make("test://static-binary", {
  name: "static-binary",
  mimeType: "image/png",
  handler: () => Effect.succeed(png)
})

const Folder = Resource.make("test://folder", {
  name: "folder",
  ttlMs: 5,
  handler: (uri) =>
    Effect.succeed(
      ResourceContents.result(
        [
          ResourceContents.text("", { uri: `${uri}/empty`, meta: { "com.example/n": 0 } }),
          ResourceContents.json({ a: [1] }),
          ResourceContents.blob(new Uint8Array(), { mimeType: "image/png" })
        ],
        { ttlMs: 7, meta: { "com.example/m": 1 } }
      )
    )
})

const Cafe = Resource.make("test://café/menu", { name: "menu", handler: (uri) => Effect.succeed(uri) })

const Gone = Resource.make("test://gone", {
  name: "gone",
  handler: () => new Resource.ResourceNotFound()
})
const Full = Resource.make("test://full", { name: "full", handler: () => new DiskFull({ disk: "sda" }) })
const Dies = Resource.make("test://dies", { name: "dies", handler: () => Effect.die("secret detail") })
const Throws = Resource.make("test://throws", {
  name: "throws",
  handler: (): Effect.Effect<string> => {
    throw new Error("secret detail")
  }
})

const Asks = Resource.make("test://asks", {
  name: "asks",
  ttlMs: 60_000,
  cacheScope: "public",
  handler: () =>
    Effect.map(
      Ask.form("who", { message: "Who?", schema: Schema.Struct({ name: Schema.String }) }),
      (outcome) => (outcome._tag === "Accepted" ? outcome.content.name : outcome._tag)
    )
})

const Note = Resource.template("note://{id}{?part}", {
  name: "note",
  title: "Note",
  mimeType: "text/markdown",
  ttlMs: 9,
  complete: {
    id: (value) =>
      Effect.map(Notes, (notes) => ["a", "b"].filter((id) => notes.get(id)?.includes(value) ?? false))
  },
  handler: ({ id, part }, uri) =>
    Effect.gen(function* () {
      const note = (yield* Notes).get(id)
      const { version } = yield* RequestContext
      if (note === undefined) return yield* new Resource.ResourceNotFound()
      return `${note} ${part ?? "whole"} ${uri} ${version.slice(0, 4)}`
    })
})

const Files = Resource.template("file:///{+path}", {
  name: "files",
  handler: ({ path }) => Effect.succeed(ResourceContents.text(path))
})

const NeverFirst = Resource.template("test://{any}", {
  name: "any",
  handler: () => Effect.succeed("template")
})

const Server = McpServer.resources(
  Text,
  Binary,
  Folder,
  Cafe,
  Gone,
  Full,
  Dies,
  Throws,
  Asks,
  Note,
  Files,
  NeverFirst
).pipe(
  Layer.provideMerge(
    McpServer.layer({ name: "test", version: "1", pageSize: 5, ttlMs: 3, cacheScope: "public" })
  ),
  Layer.provide(Layer.succeed(Notes, { get: (id) => (id === "a" ? "first" : undefined) })),
  Layer.provide(Logger.remove(Logger.defaultLogger))
)

const read = (uri: unknown, more: object = {}) => resultOf("2026-07-28", "resources/read", { uri, ...more })

layer(Server)("Resource", (it) => {
  describe("listing", () => {
    // verifies: RES-02, CACHE-01, PAGE-04
    it.effect("lists resources page by page, with the server's hints", () =>
      Effect.gen(function* () {
        const first = yield* resultOf("2026-07-28", "resources/list")
        assert.strictEqual(first.resources.length, 5)
        assert.deepStrictEqual([first.ttlMs, first.cacheScope, first.resultType], [3, "public", "complete"])
        const second = yield* resultOf("2026-07-28", "resources/list", { cursor: first.nextCursor })
        assert.deepStrictEqual(
          second.resources.map(({ uri }: { uri: string }) => uri),
          ["test://full", "test://dies", "test://throws", "test://asks"]
        )
        assert.notProperty(second, "nextCursor")
        const { code } = yield* errorOf("2026-07-28", "resources/templates/list", {
          cursor: first.nextCursor
        })
        assert.strictEqual(code, -32602)
      })
    )

    // verifies: RES-07
    it.effect("lists a resource with the members that the revision has", () =>
      Effect.gen(function* () {
        const plain = {
          uri: "test://static-text",
          name: "static-text",
          description: "A text",
          mimeType: "text/plain",
          size: 5,
          annotations: { audience: ["user"], priority: 0 }
        }
        const titled = {
          ...plain,
          title: "Static text",
          annotations: { ...plain.annotations, lastModified: "2025-01-12T15:00:58Z" },
          _meta: { "com.example/n": 1 }
        }
        const full = { ...titled, icons: [{ src: "data:image/png;base64,AA==" }] }
        const expected = {
          "2024-11-05": plain,
          "2025-03-26": plain,
          "2025-06-18": titled,
          "2025-11-25": full,
          "2026-07-28": full
        }
        for (const version of versions) {
          const { resources } = yield* resultOf(version, "resources/list")
          assert.deepStrictEqual(resources[0], expected[version], version)
        }
      })
    )

    // verifies: RES-08
    it.effect("lists templates apart from resources", () =>
      Effect.gen(function* () {
        for (const version of versions) {
          const { resourceTemplates } = yield* resultOf(version, "resources/templates/list")
          assert.deepStrictEqual(resourceTemplates[0], {
            uriTemplate: "note://{id}{?part}",
            name: "note",
            mimeType: "text/markdown",
            ...(version === "2024-11-05" || version === "2025-03-26" ? {} : { title: "Note" })
          })
          assert.strictEqual(resourceTemplates.length, 3)
        }
      })
    )

    // verifies: RES-01, DISC-06, LC-17
    it.effect("announces resources in both eras", () =>
      Effect.gen(function* () {
        const { capabilities } = yield* resultOf("2026-07-28", "server/discover")
        assert.property(capabilities, "resources")
        assert.property(capabilities, "completions")
        assert.notProperty(capabilities, "prompts")
        assert.notProperty(capabilities, "tools")
      })
    )
  })

  describe("reading", () => {
    // verifies: RES-10
    it.effect("gives text under the URI and type it was asked by, with the resource's hints", () =>
      Effect.gen(function* () {
        const result = yield* read("test://static-text")
        assert.deepInclude(result, { resultType: "complete", ttlMs: 60_000, cacheScope: "public" })
        assert.deepStrictEqual(
          result.contents.map(({ text: _, ...rest }: { text: string }) => rest),
          [{ uri: "test://static-text", mimeType: "text/plain" }]
        )
      })
    )

    // verifies: DL-22, EN-29
    it.effect("writes no hints and no stamps on legacy revisions", () =>
      Effect.gen(function* () {
        for (const version of ["2025-11-25", "2025-06-18", "2024-11-05"] as const) {
          assert.deepStrictEqual(
            yield* resultOf(version, "resources/read", { uri: "test://static-binary" }),
            {
              contents: [{ uri: "test://static-binary", mimeType: "image/png", blob: "iVBOR/v/" }]
            }
          )
        }
      })
    )

    // verifies: P-64
    it.effect("hints at nothing to be kept where the author said nothing", () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* read("test://static-binary"), { ttlMs: 0, cacheScope: "private" })
      })
    )

    // verifies: RES-11, RES-18
    it.effect("gives several items, each with its own URI, type and metadata", () =>
      Effect.gen(function* () {
        const { _meta, ...result } = yield* read("test://folder")
        assert.deepStrictEqual(result, {
          resultType: "complete",
          contents: [
            { uri: "test://folder/empty", _meta: { "com.example/n": 0 }, text: "" },
            { uri: "test://folder", mimeType: "application/json", text: '{"a":[1]}' },
            { uri: "test://folder", mimeType: "image/png", blob: "" }
          ],
          ttlMs: 7,
          cacheScope: "private"
        })
        assert.strictEqual(_meta["com.example/m"], 1)
        const old = yield* resultOf("2024-11-05", "resources/read", { uri: "test://folder" })
        assert.deepStrictEqual(old.contents[0], { uri: "test://folder/empty", text: "" })
      })
    )

    // verifies: RE-07
    it.effect("lists a URI as RFC 3986 has it, finds it however it is spelt, and echoes the spelling", () =>
      Effect.gen(function* () {
        const { resources } = yield* resultOf("2026-07-28", "resources/list")
        assert.strictEqual(resources[3].uri, "test://caf%C3%A9/menu")
        for (const uri of ["test://café/menu", "test://caf%c3%a9/menu", "TEST://caf%C3%A9/%6denu"]) {
          const { contents } = yield* read(uri)
          assert.deepStrictEqual(contents, [{ uri, text: uri }])
        }
      })
    )

    it.effect("reads by template, with variables, services and the request at hand", () =>
      Effect.gen(function* () {
        const { contents, ttlMs } = yield* read("note://a?part=2")
        assert.deepStrictEqual(contents, [
          { uri: "note://a?part=2", mimeType: "text/markdown", text: "first 2 note://a?part=2 2026" }
        ])
        assert.strictEqual(ttlMs, 9)
        const old = yield* resultOf("2024-11-05", "resources/read", { uri: "note://a" })
        assert.strictEqual(old.contents[0].text, "first whole note://a 2024")
      })
    )

    it.effect("prefers a resource of its own to a template", () =>
      Effect.gen(function* () {
        assert.match((yield* read("test://static-text")).contents[0].text, /^read/)
        assert.strictEqual((yield* read("test://elsewhere")).contents[0].text, "template")
      })
    )

    // verifies: RES-12, CACHE-14, P-64
    it.effect("lets nobody keep what answers a retry", () =>
      Effect.gen(function* () {
        const params = { uri: "test://asks" }
        const client = { "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } }
        const asked = yield* send({
          jsonrpc: "2.0",
          id: 1,
          method: "resources/read",
          params: modern(params, client)
        })
        const { result } = JSON.parse(JSON.stringify(asked?.body))
        assert.strictEqual(result.resultType, "input_required")
        assert.notProperty(result, "ttlMs")
        const answered = yield* send({
          jsonrpc: "2.0",
          id: 2,
          method: "resources/read",
          params: modern(
            {
              ...params,
              requestState: result.requestState,
              inputResponses: { who: { action: "accept", content: { name: "Ada" } } }
            },
            client
          )
        })
        assert.deepInclude(JSON.parse(JSON.stringify(answered?.body)).result, {
          contents: [{ uri: "test://asks", text: "Ada" }],
          ttlMs: 0,
          cacheScope: "private"
        })
        // On a legacy revision these are members like any other.
        const { contents } = yield* resultOf("2025-11-25", "resources/read", {
          uri: "test://static-binary",
          requestState: "x"
        })
        assert.strictEqual(contents.length, 1)
      })
    )
  })

  describe("refusing", () => {
    // verifies: RES-13, RES-14, P-93, RE-05, ER-02, DL-28, TRAP-18, DC-05
    it.effect("does not find what is not there, with the code of the era and the URI as sent", () =>
      Effect.gen(function* () {
        for (const version of versions) {
          for (const uri of [
            "other://nothing",
            "TEST://a/b",
            "test://gone",
            "note://z",
            "file:///../etc/passwd"
          ]) {
            assert.deepStrictEqual(yield* errorOf(version, "resources/read", { uri }), {
              code: version === "2026-07-28" ? -32602 : -32002,
              message: `Resource not found: ${uri}`,
              data: { uri }
            })
          }
        }
        const answer = yield* ask("2026-07-28", "resources/read", { uri: "other://nothing" })
        assert.strictEqual(answer?.status, 200)
      })
    )

    // verifies: RES-16, P-93, RE-06
    it.effect("tells a text that is no URI from one that names nothing", () =>
      Effect.gen(function* () {
        for (const version of versions) {
          for (const uri of ["", "not a uri", "static-text"]) {
            assert.deepStrictEqual(yield* errorOf(version, "resources/read", { uri }), {
              code: -32602,
              message: "params.uri is not an absolute URI",
              data: { uri }
            })
          }
          assert.strictEqual((yield* errorOf(version, "resources/read", {})).code, -32602)
        }
      })
    )

    // verifies: RES-15
    it.effect("tells of a typed failure what it says, and nothing of a defect", () =>
      Effect.gen(function* () {
        for (const version of versions) {
          assert.deepStrictEqual(yield* errorOf(version, "resources/read", { uri: "test://full" }), {
            code: -32603,
            message: "DiskFull (disk: sda)"
          })
          for (const uri of ["test://dies", "test://throws"]) {
            assert.deepStrictEqual(yield* errorOf(version, "resources/read", { uri }), {
              code: -32603,
              message: "Internal error"
            })
          }
        }
      })
    )

    // verifies: RES-17
    it.effect("never hands a handler a path that leads out of its folder", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* read("file:///a/b%20c")).contents[0].text, "a/b c")
        for (const uri of ["file:///a/../../b", "file:///%2e%2e/b", "file:///a%2f..%2fb", "file:///a%00"]) {
          assert.strictEqual((yield* errorOf("2026-07-28", "resources/read", { uri })).data.uri, uri)
        }
      })
    )
  })
})
