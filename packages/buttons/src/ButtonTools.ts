/** The button tools an agent sees. Only buttons that opted in exist here. */
import * as McpServer from "@pushbutton/server/McpServer"
import type * as AgentPress from "./tools/agentPress.js"
import { ButtonsInspect, ButtonsList, buttonsPress } from "./tools/metaTools.js"

export { ButtonsInspect, ButtonsList, buttonsPress } from "./tools/metaTools.js"

export interface Options extends AgentPress.Options {}

/** Registers the tools. */
export const layer = (options: Options = {}) =>
  McpServer.tools(ButtonsList, buttonsPress(options), ButtonsInspect)
