/** The request that a button definition and the arguments of a press make together. */
import * as Either from "effect/Either"
import { PressArgumentInvalid } from "../ButtonError.js"
import * as BodyTemplate from "./BodyTemplate.js"
import type { HttpRequest } from "./HttpClient.js"
import type { HttpDefinition } from "./HttpDefinition.js"
import type { Values } from "./Template.js"
import * as UrlTemplate from "./UrlTemplate.js"

export const make = (
  { body, headers, method, origin, url }: HttpDefinition,
  values: Values
): Either.Either<HttpRequest, PressArgumentInvalid> =>
  Either.mapBoth(UrlTemplate.render(url, values), {
    onLeft: (issues) => new PressArgumentInvalid({ code: "VALIDATION_ERROR", issues }),
    onRight: (path) => ({
      origin,
      method,
      path,
      headers,
      body: body && BodyTemplate.render(body, values)
    })
  })
