// Our server over stdio.
import * as StderrLogger from "@pushbutton/stdio/StderrLogger"
import * as StdioTransport from "@pushbutton/stdio/StdioTransport"
import * as Effect from "effect/Effect"
import { settings } from "./control.mjs"
import * as Server from "./oursServer.mjs"

Effect.runFork(
  StdioTransport.serve().pipe(Effect.provide(Server.layer(settings())), Effect.provide(StderrLogger.layer))
)
