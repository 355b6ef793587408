/** `prompts/list` and `prompts/get`. */
import { decodeGetParams, type PromptResult } from "@pushbutton/protocol/Prompt"
import * as ProtocolError from "@pushbutton/protocol/ProtocolError"
import * as Either from "effect/Either"
import type { Decision } from "../../Decision.js"
import type { PromptRegistry, RegisteredPrompt } from "../../PromptRegistry.js"
import { call, refuse } from "../call.js"
import type { Feature, Methods } from "../Feature.js"
import * as Listing from "../listing.js"
import type { Route } from "../Route.js"

export const make = (registry: PromptRegistry["Type"], settings: Listing.ListSettings): Feature => {
  const list = Listing.make<RegisteredPrompt>(
    { key: "prompts", encode: (dialect, { definition }) => dialect.prompt(definition) },
    settings
  )
  const methods: Methods = {
    "prompts/list": (route) => list(route, registry.prompts()),
    "prompts/get": (route) => getPrompt(route, registry)
  }
  return {
    isOffered: registry.isOffered,
    capabilities: { prompts: { listChanged: true } },
    modern: methods,
    legacy: methods,
    lists: [
      {
        member: "promptsListChanged",
        listed: (dialect) => registry.prompts().map(({ definition }) => dialect.prompt(definition)),
        onChange: registry.onChange
      }
    ]
  }
}

/** A bad shape, an unknown prompt and a missing argument are errors at once; all else runs the prompt. */
const getPrompt = (route: Route, registry: PromptRegistry["Type"]): Decision => {
  const params = decodeGetParams(route.params)
  if (Either.isLeft(params)) return refuse(route, params.left)
  const { arguments: args, name } = params.right
  const prompt = registry.find(name)
  if (prompt === undefined) return refuse(route, new ProtocolError.UnknownPrompt({ name }))
  const get = prompt.get(args)
  if (Either.isLeft(get)) return refuse(route, get.left)
  return call<PromptResult>(
    route,
    `Prompt ${name}`,
    get.right,
    (result) => route.dialect.promptResult(result, route.identity),
    { target: name, args }
  )
}
