/** Messages of a prompt, and what a prompt answers as a whole. */
import type { ContentBlock } from "@pushbutton/protocol/Content"
import type { JsonObject } from "@pushbutton/protocol/Json"
import type * as Protocol from "@pushbutton/protocol/Prompt"
import * as Predicate from "effect/Predicate"

const TypeId: unique symbol = Symbol.for("@pushbutton/server/PromptResult")

export type PromptMessage = Protocol.PromptMessage

/** A finished result; made by `result`. */
export interface PromptResult extends Protocol.PromptResult {
  readonly [TypeId]: typeof TypeId
}

/** What a handler may return: the user's text, one message, several messages, or a whole result. */
export type PromptContent = string | PromptMessage | ReadonlyArray<PromptMessage> | PromptResult

/** What the user says: text or one content block. */
export const user = (content: string | ContentBlock): PromptMessage => message("user", content)

/** What the model has said. */
export const assistant = (content: string | ContentBlock): PromptMessage => message("assistant", content)

export const result = (
  messages: string | PromptMessage | ReadonlyArray<PromptMessage>,
  extras?: { readonly description?: string | undefined; readonly meta?: JsonObject | undefined }
): PromptResult => ({
  [TypeId]: TypeId,
  messages: toMessages(messages),
  ...(extras?.description === undefined ? {} : { description: extras.description }),
  ...(extras?.meta === undefined ? {} : { _meta: extras.meta })
})

export const isPromptResult = (value: unknown): value is PromptResult => Predicate.hasProperty(value, TypeId)

/** Whatever a handler returned, as a result that has the prompt's description when it has none of its own. */
export const from = (returned: PromptContent, description: string | undefined): Protocol.PromptResult => {
  const made = isPromptResult(returned) ? returned : result(returned)
  return made.description === undefined && description !== undefined ? { ...made, description } : made
}

const message = (role: PromptMessage["role"], content: string | ContentBlock): PromptMessage => ({
  role,
  content: typeof content === "string" ? { type: "text", text: content } : content
})

const isMessages = (
  value: PromptMessage | ReadonlyArray<PromptMessage>
): value is ReadonlyArray<PromptMessage> => Array.isArray(value)

const toMessages = (
  messages: string | PromptMessage | ReadonlyArray<PromptMessage>
): ReadonlyArray<PromptMessage> => {
  if (typeof messages === "string") return [user(messages)]
  return isMessages(messages) ? messages : [messages]
}
