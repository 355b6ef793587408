// The official SDK over stdio.
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { settings } from "../../contenders/control.mjs"
import { make } from "./tools.mjs"

serveStdio(() => make(settings()))
