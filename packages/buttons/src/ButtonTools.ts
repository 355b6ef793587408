/** The button tools an agent sees. Only buttons that opted in exist here. */
import * as McpServer from "@pushbutton/server/McpServer"
import * as Layer from "effect/Layer"
import type { Button } from "./Button.js"
import * as ToolNames from "./internal/toolNames.js"
import { buttonsCreate } from "./tools/createTool.js"
import { ButtonsInspect, ButtonsList, buttonsPress } from "./tools/metaTools.js"
import type * as TypedTool from "./tools/typedTool.js"
import * as TypedTools from "./tools/typedTools.js"

export { buttonsCreate } from "./tools/createTool.js"
export { ButtonsInspect, ButtonsList, buttonsPress } from "./tools/metaTools.js"

/** Of the tool that a button is with mode `tools`. */
export const nameOf = ({ slug }: Button): string => ToolNames.ofSlug(slug)

/**
 * `meta`: `buttons_list`, `buttons_press` and `buttons_inspect`, for all buttons alike. `tools`: a tool for each button,
 * and `buttons_inspect`.
 */
export type Mode = "meta" | "tools"

export interface Options extends TypedTool.Options {
  /** `meta` when left out. */
  readonly mode?: Mode | undefined
}

/** Registers the tools. */
export const layer = (options: Options = {}) =>
  options.mode === "tools"
    ? Layer.merge(McpServer.tools(ButtonsInspect), TypedTools.layer(options))
    : McpServer.tools(ButtonsList, buttonsPress(options), ButtonsInspect)

/** What agents create: buttons that are hidden until somebody enables them, or buttons for use at once. */
export type Creation = "hidden" | "enabled"

/** Registers `buttons_create`. */
export const layerCreate = (creation: Creation) => McpServer.tools(buttonsCreate(creation === "enabled"))
