// Our server over HTTP.
import * as HttpTransport from "@pushbutton/http/HttpTransport"
import * as ToolRegistry from "@pushbutton/server/ToolRegistry"
import * as StderrLogger from "@pushbutton/stdio/StderrLogger"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import * as RuntimeFlagsPatch from "effect/RuntimeFlagsPatch"
import * as Scope from "effect/Scope"
import { report, settings } from "./control.mjs"
import * as Server from "./oursServer.mjs"

const given = settings()

/** @type {Readonly<Record<string, Partial<HttpTransport.Options>>>} */
const features = {
  limits: {
    allowedOrigins: ["https://app.example"],
    allowedHosts: ["127.0.0.1"],
    maxBodyBytes: 64 * 1024,
    sessionCap: 100
  },
  principal: { principalOf: ({ header }) => header("x-user") }
}

const serve = Effect.gen(function* () {
  const { address } = yield* HttpTransport.HttpTransport
  const registry = yield* ToolRegistry.ToolRegistry
  const scope = yield* Effect.scope
  const runtime = yield* Effect.runtime()
  let changes = 0
  const change = () => {
    const tool = Server.filler(`change-${changes++}`)
    Runtime.runSync(runtime)(Scope.extend(registry.add([tool]), scope))
  }
  report({ port: address.port, change })
  return yield* Effect.never
})

const endpoint = HttpTransport.layer({ port: 0, drainGrace: 0, ...features[given.feature ?? ""] })

const program = Effect.scoped(serve).pipe(
  Effect.provide(Layer.provideMerge(endpoint, Server.layer(given))),
  Effect.provide(StderrLogger.layer)
)

const noMetrics = RuntimeFlagsPatch.disable(RuntimeFlags.RuntimeMetrics)

Effect.runFork(given.feature === "no-metrics" ? Effect.withRuntimeFlagsPatch(program, noMetrics) : program)
