/** The button tools an agent sees. Only buttons that opted in exist here. */
import { ToolRegistry } from "@pushbutton/server/ToolRegistry"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Button } from "./Button.js"
import * as ToolNames from "./internal/toolNames.js"
import type { PressHistory } from "./PressHistory.js"
import type * as AgentPress from "./tools/agentPress.js"
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
export const layer = (options: Options = {}) => Layer.scopedDiscard(offer(options))

/** Registers the tools for as long as the scope lives. */
export const offer = (options: Options = {}) =>
  Effect.flatMap(ToolRegistry, (registry) =>
    options.mode === "tools"
      ? Effect.zipRight(registry.add([ButtonsInspect]), TypedTools.offer(options))
      : registry.add<AgentPress.Needs | PressHistory>([ButtonsList, buttonsPress(options), ButtonsInspect])
  )

/** What agents create: buttons that are hidden until somebody enables them, or buttons for use at once. */
export type Creation = "hidden" | "enabled"

/** Registers `buttons_create`. */
export const layerCreate = (creation: Creation) => Layer.scopedDiscard(offerCreate(creation))

export const offerCreate = (creation: Creation) =>
  Effect.flatMap(ToolRegistry, (registry) => registry.add([buttonsCreate(creation === "enabled")]))
