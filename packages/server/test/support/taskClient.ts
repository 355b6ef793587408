/** A client of 2026-07-28 with the Tasks extension. */
import * as Effect from "effect/Effect"
import { modern, send } from "./conversation.js"

export const tasks = { extensions: { "io.modelcontextprotocol/tasks": {} } }

export interface Reply {
  readonly status: number
  readonly resultType: string | undefined
  readonly taskId: string
  readonly taskStatus: string | undefined
  readonly statusMessage: string | undefined
  readonly inputRequests: { readonly [key: string]: unknown } | undefined
  readonly requestState: string | undefined
  /** The text of a tool's result, in the reply or in a completed task. */
  readonly text: string | undefined
  readonly result: { readonly [member: string]: unknown }
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } | undefined
  readonly notifications: ReadonlyArray<unknown>
}

export interface Options {
  readonly capabilities?: object
  readonly principal?: string
  readonly progressToken?: string
}

export const ask = (method: string, params: object, options: Options = {}) => {
  const { capabilities = tasks, principal, progressToken } = options
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method,
    params: modern(
      { ...params },
      {
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        ...(progressToken === undefined ? {} : { progressToken })
      }
    )
  }
  return Effect.map(send(message, principal === undefined ? {} : { principal }), (answer): Reply => {
    const { error, result = {} } = JSON.parse(JSON.stringify(answer?.body ?? {}))
    return {
      status: answer?.status ?? 0,
      resultType: result.resultType,
      taskId: result.taskId,
      taskStatus: result.status,
      statusMessage: result.statusMessage,
      inputRequests: result.inputRequests,
      requestState: result.requestState,
      text: (result.content ?? result.result?.content)?.[0]?.text,
      result,
      error,
      notifications: answer?.notifications ?? []
    }
  })
}

export const call = (name: string, options: Options & { readonly params?: object } = {}) =>
  ask("tools/call", { name, ...options.params }, options)

export const get = (taskId: string, options?: Options) => ask("tasks/get", { taskId }, options)

export const cancel = (taskId: string, options?: Options) => ask("tasks/cancel", { taskId }, options)

export const update = (taskId: string, inputResponses: object, options?: Options) =>
  ask("tasks/update", { taskId, inputResponses }, options)
