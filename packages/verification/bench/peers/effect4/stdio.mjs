// Effect 4 over stdio.
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as McpServer from "effect/ai/McpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { settings } from "../../contenders/control.mjs"
import { options } from "./tools.mjs"

McpServer.layerStdio(options(settings())).pipe(Layer.provide(NodeStdio.layer), Layer.launch, Effect.runFork)
