/** `completion/complete`, for the arguments of prompts and the variables of resource templates. */
import * as Protocol from "@pushbutton/protocol/Completion"
import type { JsonObject } from "@pushbutton/protocol/Json"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as Either from "effect/Either"
import type { Decision } from "../../Decision.js"
import type { PromptRegistry } from "../../PromptRegistry.js"
import type { ResourceRegistry } from "../../ResourceRegistry.js"
import { call, refuse } from "../call.js"
import type { Completion } from "../completers.js"
import type { Feature, Methods } from "../Feature.js"
import type { Route } from "../Route.js"
import * as Replies from "../reply.js"

export const make = (prompts: PromptRegistry["Type"], resources: ResourceRegistry["Type"]): Feature => {
  const find = (ref: Protocol.Reference): Either.Either<Completion, ProtocolError.ProtocolError> => {
    if (ref.type === "ref/prompt") {
      const prompt = prompts.find(ref.name)
      return prompt === undefined
        ? Either.left(new ProtocolError.UnknownPrompt({ name: ref.name }))
        : Either.right(prompt.completion)
    }
    const completion = resources.completion(ref.uri)
    return completion === undefined
      ? Either.left(new ProtocolError.InvalidParams({ detail: "params.ref.uri names no resource template" }))
      : Either.right(completion)
  }
  const methods: Methods = { "completion/complete": (route) => complete(route, find) }
  return {
    isOffered: () => prompts.prompts().some(hasCompleters) || resources.templates().some(hasCompleters),
    capabilities: { completions: {} },
    modern: methods,
    legacy: methods
  }
}

const hasCompleters = ({ completion }: { readonly completion: Completion }) => completion.completers.size > 0

/** An argument that exists but has no completer has no suggestions; one that does not exist is an error. */
const complete = (
  route: Route,
  find: (ref: Protocol.Reference) => Either.Either<Completion, ProtocolError.ProtocolError>
): Decision => {
  const params = Protocol.decodeCompleteParams(route.params, route.dialect.version)
  if (Either.isLeft(params)) return refuse(route, params.left)
  const { argument, context, ref } = params.right
  const found = find(ref)
  if (Either.isLeft(found)) return refuse(route, found.left)
  if (!found.right.names.has(argument.name)) return refuse(route, unknownArgument)
  const completer = found.right.completers.get(argument.name)
  if (completer === undefined) return Replies.answer(Replies.result(route.id, encode(route, [])))
  return call<ReadonlyArray<string>>(
    route,
    `Completion of ${argument.name}`,
    completer(argument.value, context),
    (values) => encode(route, values),
    { target: argument.name, args: {} }
  )
}

const unknownArgument = new ProtocolError.InvalidParams({ detail: "params.argument.name names no argument" })

const encode = (route: Route, values: ReadonlyArray<string>): JsonObject =>
  route.dialect.complete(Protocol.result(values), route.identity)
