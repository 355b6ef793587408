import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import type { ServerCapabilities } from "@pushbutton/protocol/Capabilities"
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as Subscription from "@pushbutton/protocol/Subscription"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Arbitrary from "effect/Arbitrary"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { jsonObject, objectWith } from "./arbitraries/json.js"

const everything: ServerCapabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true }
}

const limits = { maxResources: 3 }
const uriLength = 8192

const granted = (part: Partial<Subscription.Granted>): Subscription.Granted => ({
  lists: [],
  uris: [],
  extra: {},
  ...part
})

describe("Subscription.decode", () => {
  const accepted: ReadonlyArray<JsonObject> = [
    {},
    { toolsListChanged: true, promptsListChanged: false, resourcesListChanged: true },
    { resourceSubscriptions: ["file:///a", ""] },
    { taskIds: 7, "com.example/unknown": { nested: [1] } }
  ]
  for (const notifications of accepted) {
    it(`keeps ${JSON.stringify(notifications)} as it was sent`, () => {
      assert.deepStrictEqual(Subscription.decode({ notifications }), Either.right(notifications))
    })
  }

  const refused: ReadonlyArray<readonly [JsonObject, string]> = [
    [{}, "params.notifications must be an object"],
    [{ notifications: null }, "params.notifications must be an object"],
    [{ notifications: [] }, "params.notifications must be an object"],
    [
      { notifications: { toolsListChanged: "yes" } },
      "params.notifications.toolsListChanged must be a boolean"
    ],
    [
      { notifications: { resourcesListChanged: null } },
      "params.notifications.resourcesListChanged must be a boolean"
    ],
    [
      { notifications: { resourceSubscriptions: "file:///a" } },
      "params.notifications.resourceSubscriptions must be an array"
    ],
    [
      { notifications: { resourceSubscriptions: ["a", 1] } },
      "params.notifications.resourceSubscriptions[1] must be a string"
    ]
  ]
  for (const [params, detail] of refused) {
    // verifies: SUB-02
    it(`refuses ${JSON.stringify(params)}`, () => {
      const error = Either.getOrThrow(Either.flip(Subscription.decode(params)))
      assert.strictEqual(error._tag, "InvalidParams")
      assert.strictEqual(error.detail, detail)
    })
  }

  it.prop("is total", [objectWith({ notifications: jsonObject })], ([params]) => {
    assert.isTrue(Either.isEither(Subscription.decode(params)))
  })
})

const Uri = Schema.Literal(
  "file:///a",
  "FILE:///%61",
  "file:///a/b",
  "file:///a/b/c",
  "file:///ab",
  "note:1",
  "no uri",
  ""
)
const Asked = Arbitrary.make(
  Schema.Struct({
    toolsListChanged: Schema.optionalWith(Schema.Boolean, { exact: true }),
    promptsListChanged: Schema.optionalWith(Schema.Boolean, { exact: true }),
    resourcesListChanged: Schema.optionalWith(Schema.Boolean, { exact: true }),
    resourceSubscriptions: Schema.optionalWith(Schema.Array(Uri), { exact: true })
  })
)
const Offered = FastCheck.record({
  tools: FastCheck.record({ listChanged: FastCheck.boolean() }),
  prompts: FastCheck.record({ listChanged: FastCheck.boolean() }),
  resources: FastCheck.record({ listChanged: FastCheck.boolean(), subscribe: FastCheck.boolean() })
})

describe("Subscription.honoured", () => {
  // verifies: SUB-04
  it.prop("grants nothing that was not asked for or is not offered", [Asked, Offered], ([asked, offered]) => {
    const { lists, uris } = Subscription.honoured(asked, offered, limits)
    for (const member of lists) assert.isTrue(asked[member], member)
    for (const uri of uris) assert.isTrue(asked.resourceSubscriptions?.some((named) => named === uri))
    assert.strictEqual(
      lists.includes("toolsListChanged"),
      asked.toolsListChanged === true && offered.tools.listChanged
    )
    if (!offered.resources.listChanged) assert.notInclude(lists, "resourcesListChanged")
    if (!offered.resources.subscribe) assert.deepStrictEqual(uris, [])
  })

  it.prop("grants the same again when asked for what it granted", [Asked, Offered], ([asked, offered]) => {
    const once = Subscription.honoured(asked, offered, limits)
    const again = Subscription.acknowledged(once).params["notifications"]
    const filter = Either.getOrThrow(Subscription.decode({ notifications: again ?? null }))
    assert.deepStrictEqual(Subscription.honoured(filter, offered, limits), once)
  })

  it("grants each resource once, and no more than the limit", () => {
    const resourceSubscriptions = ["n:a", "n:b", "n:a", "n:c", "n:d"]
    assert.deepStrictEqual(Subscription.honoured({ resourceSubscriptions }, everything, limits).uris, [
      "n:a",
      "n:b",
      "n:c"
    ])
  })

  it("grants a resource in the spelling that was asked for first", () => {
    const resourceSubscriptions = ["FILE:///%7e", "file:///~", "file:///é", "file:///%C3%A9"]
    assert.deepStrictEqual(Subscription.honoured({ resourceSubscriptions }, everything, limits).uris, [
      "FILE:///%7e",
      "file:///é"
    ])
  })

  it("grants no text that cannot be the URI of a resource", () => {
    const long = `note:${"a".repeat(uriLength)}`
    const resourceSubscriptions = ["", "relative", "n:a b", "n:%", long, "n:a"]
    assert.deepStrictEqual(Subscription.honoured({ resourceSubscriptions }, everything, limits).uris, ["n:a"])
  })

  describe("of a long filter", () => {
    const many = { maxResources: 1000 }
    const uris = (count: number) =>
      Array.from({ length: count }, (_, index) => `n:${index}${"a".repeat(uriLength)}`.slice(0, uriLength))

    it("grants the resources that come first", () => {
      const resourceSubscriptions = [...uris(9), "n:short"]
      assert.deepStrictEqual(Subscription.honoured({ resourceSubscriptions }, everything, many).uris, uris(8))
    })

    it("counts a resource by the longer of its spellings", () => {
      const resourceSubscriptions = Array.from({ length: 9 }, (_, index) => `n:${index}${"é".repeat(1400)}`)
      assert.deepStrictEqual(
        Subscription.honoured({ resourceSubscriptions }, everything, many).uris,
        resourceSubscriptions.slice(0, 7)
      )
    })

    it("grants members of extensions first, whole or not at all", () => {
      const extra = { one: "a".repeat(30_000), two: "b".repeat(40_000), three: "c".repeat(20_000) }
      const asked = { toolsListChanged: true, resourceSubscriptions: uris(9) }
      const all = Subscription.honoured(asked, everything, many, extra)
      assert.deepStrictEqual(all.lists, ["toolsListChanged"])
      assert.deepStrictEqual(Object.keys(all.extra), ["one", "three"])
      assert.deepStrictEqual(all.uris, uris(1))
    })
  })

  it("grants nothing where nothing is offered", () => {
    const asked = { toolsListChanged: true, resourcesListChanged: true, resourceSubscriptions: ["a"] }
    assert.isTrue(Subscription.isEmpty(Subscription.honoured(asked, {}, limits)))
    assert.isTrue(Subscription.isEmpty(Subscription.honoured(asked, { tools: {}, resources: {} }, limits)))
  })

  it("is not empty with nothing but a member of an extension", () => {
    assert.isFalse(Subscription.isEmpty(Subscription.honoured({}, {}, limits, { taskIds: ["1"] })))
  })
})

describe("Subscription.lengthsOfNames", () => {
  const names = (uri: string) =>
    Array.from(Subscription.lengthsOfNames(uri), (length) => uri.slice(0, length))

  const rows: ReadonlyArray<readonly [named: string, updated: string, isFor: boolean]> = [
    ["file:///a", "file:///a", true],
    ["file:///a", "file:///a/b", true],
    ["file:///a/", "file:///a/b/c", true],
    ["file:///a/", "file:///a/", true],
    ["file:///a", "file:///a/", true],
    ["file:///a", "file:///a//b", true],
    ["file:///", "file:///a", true],
    ["file:", "file:///a", true],
    ["file:///a", "file:///ab", false],
    ["file:///a/b", "file:///a", false],
    ["file:///a/", "file:///a", false],
    ["fil", "file:///a", false],
    ["", "/a", false]
  ]
  for (const [named, updated, isFor] of rows) {
    it(`${isFor ? "tells" : "does not tell"} a subscriber of ${JSON.stringify(named)} of ${JSON.stringify(updated)}`, () => {
      assert.strictEqual(names(updated).includes(named), isFor)
    })
  }

  it("gives the resource itself and then what it lies below, nearest first and each once", () => {
    assert.deepStrictEqual(names("n:/a//b/"), ["n:/a//b/", "n:/a//b", "n:/a//", "n:/a/", "n:/a", "n:/", "n:"])
  })
})

describe("the messages of a subscription", () => {
  const schema = JSON.parse(readFileSync(new URL("./fixtures/2026-07-28.json", import.meta.url), "utf8"))
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(schema, "mcp")
  const conforms = (definition: string, message: unknown) => {
    const validate = ajv.getSchema(`mcp#/$defs/${definition}`)
    assert.isDefined(validate, definition)
    assert.isTrue(validate?.(message), JSON.stringify(validate?.errors))
  }

  const notices: ReadonlyArray<readonly [definition: string, notice: Subscription.Notice]> = [
    [
      "SubscriptionsAcknowledgedNotification",
      Subscription.acknowledged(granted({ lists: ["toolsListChanged"], uris: ["file:///a"] }))
    ],
    ["SubscriptionsAcknowledgedNotification", Subscription.acknowledged(granted({}))],
    ["ToolListChangedNotification", Subscription.listChanged("toolsListChanged")],
    ["PromptListChangedNotification", Subscription.listChanged("promptsListChanged")],
    ["ResourceListChangedNotification", Subscription.listChanged("resourcesListChanged")],
    ["ResourceUpdatedNotification", Subscription.resourceUpdated("file:///a")]
  ]
  for (const id of [0, -1, 7, "7", "", "a b"]) {
    // verifies: SUB-17, CANC-07, META-12, SUB-09
    it(`carry the id ${JSON.stringify(id)} in its own type`, () => {
      for (const [definition, notice] of [
        ...notices,
        ["CancelledNotification", Subscription.cancelled(id)] as const
      ]) {
        const message = JSON.parse(Subscription.encode(id, notice))
        conforms(definition, message)
        assert.strictEqual(message.params._meta["io.modelcontextprotocol/subscriptionId"], id)
      }
      assert.strictEqual(JSON.parse(Subscription.encode(id, Subscription.cancelled(id))).params.requestId, id)
      const end = JSON.parse(Subscription.encodeResult(id, { name: "s", version: "1" }))
      conforms("SubscriptionsListenResult", end.result)
      assert.deepStrictEqual(end, {
        jsonrpc: "2.0",
        id,
        result: {
          resultType: "complete",
          _meta: {
            "io.modelcontextprotocol/subscriptionId": id,
            "io.modelcontextprotocol/serverInfo": { name: "s", version: "1" }
          }
        }
      })
    })
  }

  // verifies: SUB-08
  it("acknowledge what was granted and leave out the rest", () => {
    const notice = Subscription.acknowledged(
      granted({ lists: ["promptsListChanged"], uris: ["a"], extra: { taskIds: ["t"] } })
    )
    assert.deepStrictEqual(notice.params, {
      notifications: { promptsListChanged: true, resourceSubscriptions: ["a"], taskIds: ["t"] }
    })
    assert.deepStrictEqual(Subscription.acknowledged(granted({})).params, { notifications: {} })
  })

  it("keep the metadata of an extension's notice", () => {
    const notice = { method: "notifications/tasks", params: { taskId: "t", _meta: { "com.example/a": 1 } } }
    assert.deepStrictEqual(JSON.parse(Subscription.encode(1, notice)).params, {
      taskId: "t",
      _meta: { "com.example/a": 1, "io.modelcontextprotocol/subscriptionId": 1 }
    })
  })
})
