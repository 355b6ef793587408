/** A client of 2026-07-28 that calls, and calls again with answers. */
import type { Facts } from "@pushbutton/server/Decision"
import * as Effect from "effect/Effect"
import { modern, send } from "./conversation.js"

/** What comes back of a call, of either result type or an error. */
export interface Reply {
  readonly status: number
  readonly resultType: string | undefined
  /** The text of a tool's result. */
  readonly text: string | undefined
  readonly isError: boolean
  readonly inputRequests: { readonly [key: string]: { readonly method: string; readonly params?: unknown } }
  readonly requestState: string | undefined
  readonly result: unknown
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } | undefined
}

export interface Retry {
  readonly inputResponses?: unknown
  readonly requestState?: unknown
}

export interface Options extends Retry {
  readonly method?: string
  readonly args?: object
  readonly capabilities?: object
  readonly principal?: string
}

/** Everything that 2026-07-28 lets a server ask for. */
export const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} }

export const call = (name: string, options: Options = {}) => {
  const { args = {}, capabilities = everything, method = "tools/call", principal, ...retry } = options
  const target = method === "resources/read" ? { uri: name } : { name, arguments: args }
  const facts: Partial<Facts> = principal === undefined ? {} : { principal }
  const params = modern(
    { ...target, ...retry },
    { "io.modelcontextprotocol/clientCapabilities": capabilities }
  )
  return Effect.map(send({ jsonrpc: "2.0", id: 1, method, params }, facts), (answer): Reply => {
    const { error, result = {} } = JSON.parse(JSON.stringify(answer?.body ?? {}))
    return {
      status: answer?.status ?? 0,
      resultType: result.resultType,
      text: result.content?.[0]?.text,
      isError: result.isError === true,
      inputRequests: result.inputRequests ?? {},
      requestState: result.requestState,
      result,
      error
    }
  })
}

/** The retry that answers what the reply has asked. */
export const answering = (reply: Reply, inputResponses: object, options: Options = {}): Options => ({
  ...options,
  inputResponses,
  ...(reply.requestState === undefined ? {} : { requestState: reply.requestState })
})

export const accept = (content?: object) => ({
  action: "accept",
  ...(content === undefined ? {} : { content })
})
