/** Requests of 2026-07-28 that the everything fixture answers as they are. Each has the id it is given. */
import type { JsonObject } from "@pushbutton/protocol/Json"

const capabilities: JsonObject = {
  sampling: {},
  elicitation: { form: {}, url: {} },
  roots: {},
  extensions: { "io.modelcontextprotocol/tasks": {} }
}

const meta: JsonObject = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": capabilities,
  "io.modelcontextprotocol/clientInfo": { name: "mutations", version: "1.0.0" }
}

const request = (method: string, params: JsonObject = {}, extra: JsonObject = {}): JsonObject => ({
  jsonrpc: "2.0",
  id: 0,
  method,
  params: { ...params, _meta: { ...meta, ...extra } }
})

const call = (name: string, args: JsonObject = {}, params: JsonObject = {}, extra: JsonObject = {}) =>
  request("tools/call", { name, arguments: args, ...params }, extra)

const progressing = {
  progressToken: "progress",
  "io.modelcontextprotocol/logLevel": "debug",
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
}

export const templates: ReadonlyArray<JsonObject> = [
  request("server/discover"),
  request("tools/list"),
  request("tools/list", { cursor: "x" }),
  request("resources/list"),
  request("resources/templates/list"),
  request("prompts/list"),
  call("test_simple_text"),
  call("test_multiple_content_types"),
  call("test_error_handling"),
  call("test_resource_link"),
  call("test_structured_content", { city: "Ulm" }),
  call("json_schema_2020_12_tool", { name: "Ada", contactMethod: "phone", phone: "1" }),
  call("test_array_output", { to: 5 }),
  call("test_x_mcp_header", { region: "eu", priority: 3, dryRun: true, target: { zone: "a" } }),
  call("test_logging_tool", {}, {}, progressing),
  call("test_streaming_elicitation", {}, {}, progressing),
  call("test_elicitation_sep1330_enums"),
  call(
    "test_input_required_result_elicitation",
    {},
    { inputResponses: { user_name: { action: "accept", content: { name: "Ada" } } } }
  ),
  call("test_input_required_result_multiple_inputs"),
  call("test_input_required_result_multi_round", {}, { requestState: "forged" }),
  call("test_missing_capability"),
  request("resources/read", { uri: "test://static-text" }),
  request("resources/read", { uri: "test://static-binary" }),
  request("resources/read", { uri: "test://template/123/data" }),
  request("prompts/get", { name: "test_simple_prompt" }),
  request("prompts/get", { name: "test_prompt_with_arguments", arguments: { arg1: "a", arg2: "b" } }),
  request("prompts/get", { name: "test_input_required_result_prompt" }),
  request("completion/complete", {
    ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
    argument: { name: "arg1", value: "te" },
    context: { arguments: { arg2: "value1" } }
  }),
  request("completion/complete", {
    ref: { type: "ref/resource", uri: "test://template/{id}/data" },
    argument: { name: "id", value: "1" }
  }),
  request("subscriptions/listen", {
    notifications: { toolsListChanged: true, resourceSubscriptions: ["test://watched-resource"] }
  }),
  call("greet", { name: "Ada" }),
  call("slow_compute", { seconds: 0 }),
  request("tasks/get", { taskId: "unknown" }),
  request("tasks/update", { taskId: "unknown", inputResponses: {} }),
  request("tasks/cancel", { taskId: "unknown" }),
  request("resources/subscribe", { uri: "test://watched-resource" }),
  { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 0, reason: "changed my mind" } },
  { jsonrpc: "2.0", method: "notifications/roots/list_changed" },
  { jsonrpc: "2.0", id: 0, result: { resultType: "complete" } }
]
