/**
 * Requests to the client's model (deprecated by the specification: prefer to call a model provider directly), and
 * what the model answers, which is data from outside until `readResult` has checked it.
 */
import * as Either from "effect/Either"
import type { AudioContent, ContentBlock, ImageContent, Role, TextContent } from "./Content.js"
import type { JsonObject, JsonValue } from "./Json.js"
import * as Json from "./Json.js"
import type { Tool } from "./Tool.js"

/** The model wants a tool of the request to be run. */
export type ToolUse = {
  readonly type: "tool_use"
  readonly id: string
  readonly name: string
  readonly input: JsonObject
  readonly _meta?: JsonObject
}

/** What came of a tool use, for the model. */
export type ToolOutcome = {
  readonly type: "tool_result"
  readonly toolUseId: string
  readonly content: ReadonlyArray<ContentBlock>
  readonly structuredContent?: JsonValue
  readonly isError?: boolean
  readonly _meta?: JsonObject
}

export type Block = TextContent | ImageContent | AudioContent | ToolUse | ToolOutcome

export type Message = {
  readonly role: Role
  readonly content: Block | ReadonlyArray<Block>
  readonly _meta?: JsonObject
}

/** Advice to the client; priorities go from 0 to 1. */
export type ModelPreferences = {
  readonly hints?: ReadonlyArray<{ readonly name?: string }>
  readonly costPriority?: number
  readonly speedPriority?: number
  readonly intelligencePriority?: number
}

export type Params = {
  readonly messages: ReadonlyArray<Message>
  readonly maxTokens: number
  readonly systemPrompt?: string
  readonly modelPreferences?: ModelPreferences
  readonly temperature?: number
  readonly stopSequences?: ReadonlyArray<string>
  readonly metadata?: JsonObject
  readonly tools?: ReadonlyArray<Tool>
  readonly toolChoice?: { readonly mode?: "auto" | "required" | "none" }
}

export type Request = { readonly method: "sampling/createMessage"; readonly params: Params }

/** What the model may answer with. */
export type AnswerBlock = TextContent | ImageContent | AudioContent | ToolUse

export type Result = {
  readonly role: Role
  readonly content: ReadonlyArray<AnswerBlock>
  readonly model: string
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or whatever the client says. */
  readonly stopReason: string | undefined
}

export const request = (params: Params): Request => ({ method: "sampling/createMessage", params })

/** Whether the request needs a client that lets its model use tools. */
export const usesTools = ({ toolChoice, tools }: Params): boolean =>
  tools !== undefined || toolChoice !== undefined

const list = <A>(content: A | ReadonlyArray<A>): ReadonlyArray<A> => {
  const isList = (value: A | ReadonlyArray<A>): value is ReadonlyArray<A> => Array.isArray(value)
  return isList(content) ? content : [content]
}

/**
 * What forbids sending these messages, if anything does: tool results stand alone in a user message, and answer,
 * one each, the tool uses of the message before (2026-07-28, sampling, Message Content Constraints: MUST).
 */
export const problemOf = ({ maxTokens, messages }: Params): string | undefined => {
  if (!Number.isInteger(maxTokens) || maxTokens < 1) return "maxTokens has to be a positive integer"
  let open: ReadonlyArray<string> = []
  for (const { content, role } of messages) {
    const blocks = list(content)
    const results = blocks.flatMap((block) => (block.type === "tool_result" ? [block.toolUseId] : []))
    const uses = blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : []))
    if (results.length > 0 && (role !== "user" || results.length < blocks.length)) {
      return "tool results have to be alone in a user message"
    }
    if (uses.length > 0 && role !== "assistant") return "only the assistant uses tools"
    if (!isSame(open, results))
      return "each tool use has to be answered by one tool result in the next message"
    open = uses
  }
  return open.length === 0 ? undefined : "the last message leaves a tool use without its result"
}

const isSame = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one.length === other.length && new Set(other).size === other.length && one.every((id) => other.includes(id))

/** The checked answer of the model; a tool use counts only where tools were offered. Left: why it is no answer. */
export const readResult = (params: Params, response: JsonValue): Either.Either<Result, string> => {
  if (!Json.isObject(response)) return Either.left("the response is not an object")
  const role = Json.own(response, "role")
  if (role !== "user" && role !== "assistant") return Either.left("role is neither user nor assistant")
  const model = Json.own(response, "model")
  if (typeof model !== "string") return Either.left("model is not a string")
  const stopReason = Json.own(response, "stopReason")
  if (stopReason !== undefined && typeof stopReason !== "string")
    return Either.left("stopReason is not a string")
  const content = Json.own(response, "content")
  if (content === undefined) return Either.left("content is missing")
  const blocks: Array<AnswerBlock> = []
  for (const block of list(content)) {
    const read = readBlock(block)
    if (read === undefined || (read.type === "tool_use" && !usesTools(params))) {
      return Either.left("content has a block that is none of those asked for")
    }
    blocks.push(read)
  }
  return Either.right({ role, model, stopReason, content: blocks })
}

const readBlock = (block: JsonValue): AnswerBlock | undefined => {
  if (!Json.isObject(block)) return undefined
  const type = Json.own(block, "type")
  if (type === "text") {
    const text = Json.own(block, "text")
    return typeof text === "string" ? { type, text } : undefined
  }
  if (type === "image" || type === "audio") {
    const data = Json.own(block, "data")
    const mimeType = Json.own(block, "mimeType")
    return typeof data === "string" && typeof mimeType === "string" ? { type, data, mimeType } : undefined
  }
  if (type !== "tool_use") return undefined
  const id = Json.own(block, "id")
  const name = Json.own(block, "name")
  const input = Json.own(block, "input")
  return typeof id === "string" && typeof name === "string" && Json.isObject(input)
    ? { type, id, name, input }
    : undefined
}

/** The text of an answer, its blocks joined by line breaks. */
export const textOf = ({ content }: Result): string =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n")
