/** The examples of docs/guide/asks.md. */
import * as Ask from "@pushbutton/server/Ask"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Step from "@pushbutton/server/Step"
import * as Tool from "@pushbutton/server/Tool"
import * as Config from "effect/Config"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

const upload = (build: string) => Effect.succeed(`upload-of-${build}`)

const Where = Schema.Struct({
  env: Schema.Union(
    Schema.Literal("staging").annotations({ title: "Staging" }),
    Schema.Literal("prod").annotations({ title: "Production" })
  ),
  replicas: Schema.Int.pipe(Schema.between(1, 9)).annotations({ title: "Replicas", default: 2 })
})

const Deploy = Tool.make("deploy", {
  input: Schema.Struct({ build: Schema.String }),
  handler: ({ build }) =>
    Effect.gen(function* () {
      const id = yield* Step.once("upload", upload(build), Schema.String)
      const answer = yield* Ask.form("where", { message: `Ship ${build}?`, schema: Where })
      switch (answer._tag) {
        case "Accepted":
          return `${id} runs ${answer.content.replicas} times on ${answer.content.env}`
        case "Declined":
        case "Cancelled":
          return "Not shipped."
        case "Unavailable":
        case "Failed":
          return "Not shipped: there was nobody to ask."
      }
    })
})

const Connect = Tool.make("connect", {
  input: Schema.Struct({}),
  handler: () =>
    Effect.gen(function* () {
      const { page, team } = yield* Ask.all({
        page: Ask.url("page", { message: "Sign in to the tracker", url: "https://tracker.example/start" }),
        team: Ask.form("team", { message: "Which team?", schema: Schema.Struct({ team: Schema.String }) })
      })
      return page._tag === "Accepted" && team._tag === "Accepted" ? team.content.team : "Not connected."
    })
})

const Clean = Tool.make("clean", {
  input: Schema.Struct({}),
  handler: () =>
    Effect.gen(function* () {
      if (!(yield* Ask.supports("form"))) return "Nothing deleted: confirm in the dashboard."
      yield* Ask.orFail(Ask.form("sure", { message: "Delete all builds?", schema: Schema.Struct({}) }))
      return "Deleted."
    })
})

const linked = Deferred.unsafeMake<void>(FiberId.none)
const isLinked = Deferred.isDone(linked)
const whenLinked = Deferred.await(linked)
/** What the page does. */
export const visit = Deferred.succeed(linked, undefined)

const Link = Tool.make("link", {
  input: Schema.Struct({}),
  handler: () =>
    Effect.gen(function* () {
      if (yield* isLinked) return "Linked already."
      yield* Ask.orFail(Ask.url("link", { message: "Link your account", url: "https://ci.example/link" }))
      yield* Effect.timeout(whenLinked, "2 minutes")
      yield* Ask.complete("link")
      return "Linked."
    })
})

export const Tools = McpServer.tools(Deploy, Connect, Clean, Link)

export const Server = Layer.unwrapEffect(
  Effect.map(Config.redacted("STATE_SECRET"), (secret) =>
    McpServer.layer({
      name: "ci",
      version: "1.0.0",
      requestState: { keys: [{ id: "2026-11", secret }], ttl: "5 minutes", singleUse: true }
    })
  )
)
