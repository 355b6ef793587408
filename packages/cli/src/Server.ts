/** The MCP server that the binary is, without a transport. */
import * as ButtonTools from "@pushbutton/buttons/ButtonTools"
import * as DefinitionsServer from "@pushbutton/buttons/definitions/DefinitionsServer"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Layer from "effect/Layer"
import type * as Buttons from "./Buttons.js"
import { version } from "./Version.js"

export interface Options {
  /** Whether clients that begin with `initialize` are refused. */
  readonly modernOnly: boolean
}

const identity = ({ modernOnly }: Options) =>
  McpServer.layer({
    name: "pushbutton",
    title: "Pushbutton",
    version,
    instructions:
      "Buttons are vetted actions. Call buttons_list to see them, buttons_press to press one, buttons_inspect for how one went.",
    revisions: modernOnly ? "modern" : "all"
  })

export const layer = (options: Options) =>
  Layer.provideMerge(Layer.merge(ButtonTools.layer(), DefinitionsServer.layer), identity(options))

export type Needs = Buttons.Services
