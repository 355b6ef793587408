/** The Tasks extension: `tasks/get`, `tasks/update`, `tasks/cancel`, and the subscriber's filter for tasks. */
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as TaskMessage from "@pushbutton/protocol/TaskMessage"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Decision } from "../../Decision.js"
import type { ExtraFilter } from "../../Subscriptions.js"
import type { Tasks } from "../../Tasks.js"
import type { ToolRegistry } from "../../ToolRegistry.js"
import { refuse } from "../call.js"
import type { Feature } from "../Feature.js"
import type { Route } from "../Route.js"
import * as Replies from "../reply.js"

/** Offered from the first tool on whose calls become tasks: those tasks may outlive the tool's registration. */
export const make = (registry: ToolRegistry["Type"], tasks: Tasks["Type"]): Feature => {
  let wasOffered = false
  const isOffered = () => {
    wasOffered ||= registry.tools().some(({ task }) => task !== "never")
    return wasOffered
  }
  return {
    isOffered,
    capabilities: { extensions: { [TaskMessage.extension]: {} } },
    modern: {
      "tasks/get": (route) =>
        about(route, TaskMessage.decodeTaskId, (taskId) =>
          Effect.map(tasks.get(taskId, route), (task) => TaskMessage.got(task, route.identity))
        ),
      "tasks/update": (route) =>
        about(route, TaskMessage.decodeUpdate, ({ inputResponses, taskId }) =>
          Effect.as(tasks.update(taskId, inputResponses, route), TaskMessage.acknowledged(route.identity))
        ),
      "tasks/cancel": (route) =>
        about(route, TaskMessage.decodeTaskId, (taskId) =>
          Effect.as(tasks.cancel(taskId, route), TaskMessage.acknowledged(route.identity))
        )
    },
    legacy: {},
    filters: [filter(tasks, isOffered)]
  }
}

const undeclared = new ProtocolError.MissingRequiredClientCapability({ required: TaskMessage.capability })

/** The capability comes first: a client without the extension learns nothing of ids (2026-07-28, tasks: MUST). */
const about = <A>(
  route: Route,
  decode: (params: JsonObject) => Either.Either<A, ProtocolError.InvalidParams>,
  answer: (params: A) => Effect.Effect<JsonObject, ProtocolError.ProtocolError>
): Decision => {
  if (!TaskMessage.isDeclared(route.clientCapabilities)) return refuse(route, undeclared)
  const params = decode(route.params)
  if (Either.isLeft(params)) return refuse(route, params.left)
  const reply = Effect.match(answer(params.right), {
    onFailure: (failure) => Replies.error(route.id, failure, route.era),
    onSuccess: (result) => Replies.result(route.id, result)
  })
  return {
    _tag: "Call",
    call: {
      id: route.id,
      era: route.era,
      start: (_, fork) => fork(reply, Context.empty()),
      refuse: (reason) => Replies.error(route.id, reason, route.era)
    }
  }
}

/** Only tasks that run are acknowledged: of others nothing comes any more. */
const filter = (tasks: Tasks["Type"], isOffered: () => boolean): ExtraFilter => ({
  member: "taskIds",
  honour: (asked, caller) => {
    if (!isOffered()) return Either.right(undefined)
    if (!TaskMessage.isDeclared(caller.clientCapabilities)) return Either.left(undeclared)
    return Either.map(TaskMessage.decodeTaskIds(asked), (taskIds) => {
      const granted = tasks.tellable(taskIds, caller)
      return granted.length === 0 ? undefined : granted
    })
  }
})
