/** The MCP server that the binary is, without a transport. */
import * as ButtonTools from "@pushbutton/buttons/ButtonTools"
import * as McpServer from "@pushbutton/server/McpServer"
import * as Layer from "effect/Layer"
import type * as Buttons from "./Buttons.js"
import { version } from "./Version.js"

const identity = McpServer.layer({
  name: "pushbutton",
  title: "Pushbutton",
  version,
  instructions:
    "Buttons are vetted actions. Call buttons_list to see them, buttons_press to press one, buttons_inspect for how one went."
})

export const layer = Layer.provideMerge(ButtonTools.layer, identity)

export type Needs = Buttons.Services
