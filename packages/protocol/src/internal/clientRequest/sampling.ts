/** Requests to the model of a client, and its answer, per revision. */
import * as Either from "effect/Either"
import * as Dialect from "../../dialect/Dialect.js"
import type { JsonObject, JsonValue } from "../../Json.js"
import * as Json from "../../Json.js"
import type { LegacyVersion } from "../../ProtocolVersion.js"
import type { Block, Message, Params, ToolOutcome } from "../../Sampling.js"
import { encodeBlock } from "../dialect/content.js"
import { legacyRevisions } from "../dialect/revision.js"
import { project, shape } from "../dialect/shape.js"

const plain = shape({
  modelPreferences: shape({
    hints: shape({ name: true }),
    costPriority: true,
    speedPriority: true,
    intelligencePriority: true
  }),
  systemPrompt: true,
  temperature: true,
  maxTokens: true,
  stopSequences: true,
  metadata: true
})

const context = shape({ includeContext: true })
const toolChoice = shape({ toolChoice: shape({ mode: true }) })
const toolUse = shape({ type: true, id: true, name: true, input: true, _meta: true })
const toolOutcome = shape({ type: true, toolUseId: true, isError: true, _meta: true })

/** `withContext` is whether the client may be told which context to include. Left: a block the revision lacks. */
export const encode = (
  version: LegacyVersion,
  params: Params,
  withContext: boolean
): Either.Either<JsonObject, string> => {
  const messages: Array<JsonObject> = []
  for (const message of params.messages) {
    const unknown = blocksOf(message).find(({ type }) => !takes(version, type))
    if (unknown !== undefined) {
      return Either.left(`revision ${version} has no content of type ${unknown.type} in sampling`)
    }
    messages.push(...encodeMessage(version, message))
  }
  const { tools } = params
  return Either.right({
    messages,
    ...project(plain, params),
    ...(withContext ? project(context, params) : {}),
    ...(version === "2025-11-25" ? project(toolChoice, params) : {}),
    ...(tools === undefined ? {} : { tools: tools.map(Dialect.forVersion(version).tool) })
  })
}

/** Whether the request or the conversation in it has anything to do with tools. */
export const usesTools = (params: Params): boolean =>
  params.tools !== undefined ||
  params.toolChoice !== undefined ||
  params.messages.some((message) => blocksOf(message).some(({ type }) => isOfTools(type)))

const isOfTools = (type: string): boolean => type === "tool_use" || type === "tool_result"

const takes = (version: LegacyVersion, type: string): boolean =>
  type === "text" ||
  type === "image" ||
  (type === "audio" && version !== "2024-11-05") ||
  (isOfTools(type) && version === "2025-11-25")

const blocksOf = ({ content }: Message): ReadonlyArray<Block> => {
  const isList = (value: Message["content"]): value is ReadonlyArray<Block> => Array.isArray(value)
  return isList(content) ? content : [content]
}

/** Before 2025-11-25 a message is one block: several become as many messages of one role. */
const encodeMessage = (version: LegacyVersion, message: Message): ReadonlyArray<JsonObject> => {
  const { _meta, content, role } = message
  const blocks = blocksOf(message).map((block, index) => encodeOne(version, block, index))
  if (version !== "2025-11-25") return blocks.map((block) => ({ role, content: block }))
  const [first] = blocks
  return [
    {
      role,
      content: Array.isArray(content) || first === undefined ? blocks : first,
      ...(_meta === undefined ? {} : { _meta })
    }
  ]
}

const encodeOne = (version: LegacyVersion, block: Block, index: number): JsonObject => {
  switch (block.type) {
    case "tool_use":
      return project(toolUse, block)
    case "tool_result":
      return encodeOutcome(version, block)
    default:
      return encodeBlock(legacyRevisions[version], block, index)
  }
}

const encodeOutcome = (version: LegacyVersion, outcome: ToolOutcome): JsonObject => {
  const { content, structuredContent } = outcome
  return {
    ...project(toolOutcome, outcome),
    content: content.map((block, index) => encodeBlock(legacyRevisions[version], block, index)),
    ...(structuredContent === undefined
      ? {}
      : {
          structuredContent: Json.isObject(structuredContent)
            ? structuredContent
            : { result: structuredContent }
        })
  }
}

/** Left: content that the revision does not have. */
export const readResult =
  (version: LegacyVersion) =>
  (result: JsonValue): Either.Either<JsonValue, string> => {
    const content = Json.isObject(result) ? Json.own(result, "content") : undefined
    if (version === "2025-11-25" || content === undefined) return Either.right(result)
    const type = Json.isObject(content) ? Json.own(content, "type") : undefined
    return typeof type === "string" && takes(version, type)
      ? Either.right(result)
      : Either.left(`content is none that revision ${version} has`)
  }
