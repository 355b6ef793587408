/** A server that uses every part of the author's API, without a transport. */
import * as McpServer from "@pushbutton/server/McpServer"
import * as Layer from "effect/Layer"
import * as AskTools from "./askTools.js"
import * as Changes from "./changes.js"
import * as ContentTools from "./contentTools.js"
import * as Decorated from "./decorated.js"
import * as InputRequired from "./inputRequired.js"
import * as NotificationTools from "./notificationTools.js"
import * as Prompts from "./prompts.js"
import * as Resources from "./resources.js"
import * as SchemaTools from "./schemaTools.js"
import * as TaskTools from "./taskTools.js"

const identity = McpServer.layer({
  name: "everything",
  title: "Everything",
  description: "One of everything",
  version: "1.0.0",
  websiteUrl: "https://example.com/everything",
  icons: Decorated.icons,
  instructions: "A server for tests: it offers one of everything.",
  ttlMs: 1000,
  cacheScope: "public",
  logging: true,
  tracing: true,
  tasks: { pollInterval: "200 millis" }
})

const tools = McpServer.tools(
  ContentTools.simpleText,
  ContentTools.image,
  ContentTools.audio,
  ContentTools.embeddedResource,
  ContentTools.multipleContentTypes,
  ContentTools.resourceLink,
  ContentTools.structured,
  ContentTools.error,
  Decorated.tool,
  SchemaTools.jsonSchema,
  SchemaTools.arrayOutput,
  SchemaTools.headers,
  NotificationTools.progress,
  NotificationTools.logging,
  NotificationTools.loggingOnRequest,
  NotificationTools.loggingLevels,
  NotificationTools.waiting,
  NotificationTools.reconnection,
  NotificationTools.trace,
  AskTools.sampling,
  AskTools.elicitation,
  AskTools.defaults,
  AskTools.enums,
  AskTools.url,
  InputRequired.elicitation,
  InputRequired.sampling,
  InputRequired.listRoots,
  InputRequired.requestState,
  InputRequired.multipleInputs,
  InputRequired.multiRound,
  InputRequired.tamperedState,
  InputRequired.capabilities,
  InputRequired.missingCapability,
  InputRequired.streamingElicitation,
  TaskTools.greet,
  TaskTools.slowCompute,
  TaskTools.failingJob,
  TaskTools.protocolErrorJob,
  TaskTools.confirmDelete,
  TaskTools.multiInput,
  TaskTools.askThenTask
)

const resources = McpServer.resources(
  Resources.staticText,
  Resources.staticBinary,
  Resources.watched,
  Resources.byId,
  Decorated.resource
)

const prompts = McpServer.prompts(
  Prompts.simple,
  Prompts.withArguments,
  Prompts.withEmbeddedResource,
  Prompts.withImage,
  Prompts.inputRequired,
  Decorated.prompt
)

/** The tools come first, so that the first tool of the list is the simple one. A wrong definition is a defect. */
export const layer = Changes.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(tools, resources, prompts)),
  Layer.provideMerge(identity),
  Layer.orDie
)
