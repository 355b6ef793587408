/**
 * One press for an agent: what it left out is asked for, what takes long becomes a task, and whoever wants to know is
 * told that it goes on.
 */
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as Progress from "@pushbutton/server/Progress"
import { RequestContext } from "@pushbutton/server/RequestContext"
import * as Tasks from "@pushbutton/server/Tasks"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Button } from "../Button.js"
import { ButtonCatalogue, getVisible } from "../ButtonCatalogue.js"
import { PressArgumentInvalid } from "../ButtonError.js"
import * as ProgressSteps from "../internal/progressSteps.js"
import { Press, type PressFailure, type PressRequest } from "../Press.js"
import { isKey, maxKeyLength } from "../PressKeys.js"
import type { PressResult } from "../PressResult.js"
import { defaultTimeoutSeconds, maxMcpTimeoutSeconds } from "../PressTimeout.js"
import * as MissingArguments from "./missingArguments.js"

export interface Options {
  /** When a press becomes a task, for clients that can follow one; after 10 seconds when left out. */
  readonly taskAfter?: Duration.DurationInput | undefined
  /** How often there is a sign of life of a press that says nothing; every 15 seconds when left out. */
  readonly heartbeat?: Duration.DurationInput | undefined
}

export interface Wanted {
  readonly name: string
  readonly args: JsonObject
  readonly timeoutSeconds?: number | undefined
  readonly idempotencyKey?: string | undefined
}

export type Needs = ButtonCatalogue | Press | RequestContext

export const press = (options: Options, wanted: Wanted): Effect.Effect<PressResult, PressFailure, Needs> =>
  Effect.gen(function* () {
    const service = yield* Press
    const button = yield* getVisible(yield* ButtonCatalogue, wanted.name, "mcp")
    const args = yield* MissingArguments.complete(button, wanted.args)
    const { meta, principal } = yield* RequestContext
    const idempotencyKey = wanted.idempotencyKey ?? (yield* keyOf(meta))
    const mayBecomeTask = yield* Tasks.canDetach
    const request: PressRequest = {
      ...wanted,
      args,
      // What was asked for meanwhile may have taken any time.
      found: args === wanted.args ? button : undefined,
      caller: "mcp",
      principal,
      idempotencyKey
    }
    return yield* mayBecomeTask || meta["progressToken"] !== undefined
      ? Effect.scoped(pressTold(options, request, button, mayBecomeTask))
      : service.press(request)
  })

/** A press that its client hears of while it runs. */
const pressTold = (options: Options, request: PressRequest, button: Button, mayBecomeTask: boolean) =>
  Effect.gen(function* () {
    let isTask = false
    // The request is captured here because a press reports from a place that knows no request.
    const report = yield* Progress.reporter
    const steps = ProgressSteps.make()
    const signs = signsOfLife(options.heartbeat ?? "15 seconds", (text) => report(steps.beat(text)))
    yield* Effect.forkScoped(signs.beats)
    if (mayBecomeTask) {
      const becomes = Effect.map(becomeTask(options.taskAfter ?? "10 seconds"), () => {
        isTask = true
      })
      yield* Effect.forkScoped(becomes)
    }
    return yield* (yield* Press).press({
      ...request,
      limitSeconds: mayBecomeTask ? taskLimitSeconds(button) : undefined,
      patience: mayBecomeTask
        ? { seconds: maxMcpTimeoutSeconds, isWaitedFor: Effect.sync(() => !isTask) }
        : undefined,
      onProgress: (update) =>
        Effect.suspend(() => {
          signs.heard()
          return report(steps.next(update))
        })
    })
  })

/** Where a tool has no place for an idempotency key, it stands in `_meta`. */
const keyName = "pushbutton/idempotency_key"

const keyOf = (meta: JsonObject): Effect.Effect<string | undefined, PressArgumentInvalid> => {
  const key = meta[keyName]
  if (key === undefined || (typeof key === "string" && isKey(key))) {
    return Effect.succeed(key)
  }
  return new PressArgumentInvalid({
    code: "VALIDATION_ERROR",
    issues: [
      {
        argument: keyName,
        reason: "invalid",
        detail: `${keyName} in _meta must be a string of 1 to ${maxKeyLength} characters`
      }
    ]
  })
}

/** Nobody waits for a task, so that what the button itself allows counts. */
const taskLimitSeconds = ({ timeoutSeconds }: Button): number =>
  Math.max(maxMcpTimeoutSeconds, timeoutSeconds ?? defaultTimeoutSeconds)

/** Where there may be no more tasks the press goes on as a call, and becomes one as soon as there is room. */
const becomeTask = (after: Duration.DurationInput) =>
  Effect.delay(
    Effect.repeat(Tasks.detach, { until: (isTask) => isTask, schedule: Schedule.spaced(after) }),
    after
  )

/** Clients give up on what they do not hear of: a button that says nothing is spoken for. */
const signsOfLife = (every: Duration.DurationInput, tell: (text: string) => Effect.Effect<void>) => {
  const everySeconds = Duration.toSeconds(every)
  let wasHeard = false
  let count = 0
  const beat = Effect.suspend(() => {
    count++
    const isNeeded = !wasHeard
    wasHeard = false
    return isNeeded ? tell(`${Math.round(count * everySeconds)} s so far`) : Effect.void
  })
  return {
    beats: Effect.forever(Effect.delay(beat, every)),
    heard: () => {
      wasHeard = true
    }
  }
}
