/** Whether what a server sends fits the published schema of 2026-07-28 and of the tasks extension. */
import { readFileSync } from "node:fs"
import { isObject, type JsonObject, type JsonValue } from "@pushbutton/protocol/Json"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"

const fixture = (name: string): JsonObject =>
  JSON.parse(readFileSync(new URL(`../../../fixtures/schema/${name}`, import.meta.url), "utf8"))

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(fixture("2026-07-28.json"), "core")
ajv.addSchema(fixture("tasks.json"), "tasks")

const known = new Map<string, ValidateFunction>()

const check = (schema: "core" | "tasks", definition: string, value: unknown): string | undefined => {
  const name = `${schema}#/$defs/${definition}`
  const validate = known.get(name) ?? ajv.getSchema(name)
  if (validate === undefined) throw new Error(`no definition ${name}`)
  known.set(name, validate)
  return validate(value) === true ? undefined : `${definition}: ${ajv.errorsText(validate.errors)}`
}

type Definition = readonly ["core" | "tasks", string]

/** A map, since what a client names may be `constructor`. */
const results = new Map<string, Definition>(
  Object.entries<Definition>({
    "server/discover": ["core", "DiscoverResult"],
    "tools/list": ["core", "ListToolsResult"],
    "tools/call": ["core", "CallToolResult"],
    "resources/list": ["core", "ListResourcesResult"],
    "resources/templates/list": ["core", "ListResourceTemplatesResult"],
    "resources/read": ["core", "ReadResourceResult"],
    "prompts/list": ["core", "ListPromptsResult"],
    "prompts/get": ["core", "GetPromptResult"],
    "completion/complete": ["core", "CompleteResult"],
    "subscriptions/listen": ["core", "SubscriptionsListenResult"],
    "tasks/get": ["tasks", "GetTaskResult"],
    "tasks/update": ["tasks", "UpdateTaskResult"],
    "tasks/cancel": ["tasks", "CancelTaskResult"]
  })
)

const errors: Readonly<Record<number, readonly [definition: string, whole: boolean]>> = {
  [-32700]: ["ParseError", false],
  [-32600]: ["InvalidRequestError", false],
  [-32601]: ["MethodNotFoundError", false],
  [-32602]: ["InvalidParamsError", false],
  [-32020]: ["HeaderMismatchError", true],
  [-32021]: ["MissingRequiredClientCapabilityError", true],
  [-32022]: ["UnsupportedProtocolVersionError", true]
}

/** Without `notifications/cancelled`: the server may send it only when it ends a subscription by itself. */
const notifications = new Map<string, Definition>(
  Object.entries<Definition>({
    "notifications/progress": ["core", "ProgressNotification"],
    "notifications/message": ["core", "LoggingMessageNotification"],
    "notifications/subscriptions/acknowledged": ["core", "SubscriptionsAcknowledgedNotification"],
    "notifications/tools/list_changed": ["core", "ToolListChangedNotification"],
    "notifications/prompts/list_changed": ["core", "PromptListChangedNotification"],
    "notifications/resources/list_changed": ["core", "ResourceListChangedNotification"],
    "notifications/resources/updated": ["core", "ResourceUpdatedNotification"],
    "notifications/tasks": ["tasks", "TaskStatusNotification"]
  })
)

const resultProblem = (method: string | undefined, result: JsonValue | undefined): string | undefined => {
  if (result === undefined || !isObject(result)) return "the result is no object"
  const { resultType } = result
  if (resultType === "input_required") return check("core", "InputRequiredResult", result)
  if (resultType === "task") return check("tasks", "CreateTaskResult", result)
  if (resultType !== "complete") return `the result type is ${JSON.stringify(resultType)}`
  const definition = method === undefined ? undefined : results.get(method)
  return definition === undefined ? `nobody asked with ${method}` : check(...definition, result)
}

/** An internal error counts as a problem: nothing a client sends may break a handler of the fixture. */
const errorProblem = (reply: JsonObject): string | undefined => {
  const { error } = reply
  const definition = error !== undefined && isObject(error) ? errors[Number(error["code"])] : undefined
  if (definition === undefined) return `the error is ${JSON.stringify(error)}`
  const [name, whole] = definition
  return check("core", "JSONRPCErrorResponse", reply) ?? check("core", name, whole ? reply : error)
}

/** Keys of the specification's own and of extensions (2026-07-28, basic, `_meta`). */
const metaKey =
  /^(?:[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*\/)?[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/

const metaProblem = ({ params, result }: JsonObject): string | undefined => {
  const holder = params ?? result ?? null
  const meta = isObject(holder) ? holder["_meta"] : undefined
  const wrong =
    meta !== undefined && isObject(meta) ? Object.keys(meta).find((key) => !metaKey.test(key)) : undefined
  return wrong === undefined ? undefined : `the key ${JSON.stringify(wrong)} in _meta`
}

/** Why a message of the server is wrong; `method` is that of the request with its id, as far as anybody knows. */
export const problemOf = (reply: JsonObject, method: string | undefined): string | undefined =>
  metaProblem(reply) ?? shapeProblem(reply, method)

const shapeProblem = (reply: JsonObject, method: string | undefined): string | undefined => {
  if ("method" in reply) {
    const definition = notifications.get(String(reply["method"]))
    if ("id" in reply || definition === undefined) return "the server may not send this"
    return check("core", "JSONRPCNotification", reply) ?? check(...definition, reply)
  }
  if ("error" in reply) return errorProblem(reply)
  const { result } = reply
  // A ping without a claim can only be of an older revision, whose answer has no members.
  if (method === "ping") return JSON.stringify(result) === "{}" ? undefined : "a ping is answered by {}"
  return check("core", "JSONRPCResultResponse", reply) ?? resultProblem(method, result)
}
