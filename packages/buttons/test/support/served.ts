/** A server of buttons that are in memory, whose programs are what a test says. */
import type { Button } from "@pushbutton/buttons/Button"
import * as ButtonCatalogue from "@pushbutton/buttons/ButtonCatalogue"
import * as ButtonTools from "@pushbutton/buttons/ButtonTools"
import * as Press from "@pushbutton/buttons/Press"
import * as PressHistory from "@pushbutton/buttons/PressHistory"
import * as PressRunner from "@pushbutton/buttons/PressRunner"
import * as RunIds from "@pushbutton/buttons/RunIds"
import * as Runtime from "@pushbutton/buttons/Runtime"
import * as McpServer from "@pushbutton/server/McpServer"
import type * as Tasks from "@pushbutton/server/Tasks"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { guards } from "./guards.js"
import { noBatteriesNoHttp } from "./pressing.js"

export const exited = (stdout: string, exitCode = 0): PressRunner.PressOutcome => ({
  reason: "exited",
  exitCode,
  stdout: { text: stdout, bytes: stdout.length, truncated: false },
  stderr: { text: "", bytes: 0, truncated: false },
  durationMillis: 7
})

export const server = (
  buttons: ReadonlyArray<Button>,
  run: PressRunner.PressRunner["Type"]["run"],
  options: ButtonTools.Options = {},
  tasks: Tasks.Options = {}
) =>
  ButtonTools.layer(options).pipe(
    Layer.provideMerge(McpServer.layer({ name: "test", version: "1", tasks })),
    Layer.provideMerge(Press.layer({ environment: {}, workingDirectory: "/" })),
    Layer.provideMerge(Layer.merge(ButtonCatalogue.layerMemory({ buttons }), PressHistory.layerMemory)),
    Layer.provide(
      Layer.mergeAll(
        PressRunner.layerTest(run),
        noBatteriesNoHttp,
        RunIds.layerTest,
        guards,
        Runtime.layerTest({ shell: "/bin/sh" })
      )
    )
  )

/** A program that runs until it is told to end, and what it was given. */
export const held = Effect.gen(function* () {
  const started = yield* Deferred.make<PressRunner.PressSpec>()
  const end = yield* Deferred.make<PressRunner.PressOutcome>()
  return {
    started: Deferred.await(started),
    end: (outcome: PressRunner.PressOutcome) => Deferred.succeed(end, outcome),
    run: (spec: PressRunner.PressSpec) =>
      Effect.zipRight(Deferred.succeed(started, spec), Deferred.await(end))
  }
})
