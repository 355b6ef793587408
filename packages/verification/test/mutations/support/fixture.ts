/** The everything fixture in this process. What it logs as an error is kept: nothing may break inside. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Server from "../../../src/everything/server.js"

export const make = Effect.sync(() => {
  const broken: Array<string> = []
  const logger = Logger.make<unknown, void>(({ cause, logLevel, message }) => {
    if (LogLevel.greaterThanEqual(logLevel, LogLevel.Error)) broken.push(`${message} ${cause}`)
  })
  return { broken, layer: Layer.provideMerge(Server.layer, Logger.replace(Logger.defaultLogger, logger)) }
})

/** How long a peer waits before it takes a server for hanging, on a machine that does much else. */
export const patience = "10 seconds"
