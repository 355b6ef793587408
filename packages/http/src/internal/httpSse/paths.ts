/** The paths of HTTP+SSE beside that of the MCP endpoint. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Admission from "../../Admission.js"

export interface Paths {
  /** Where the event stream is. */
  readonly path: string
  /** Where messages are sent to. */
  readonly messagesPath: string
}

/** Two of the paths that a server was told to serve are one. */
export class PathsCollide extends Data.TaggedError("PathsCollide")<{ readonly path: string }> {
  override get message() {
    return `The path ${this.path} is given twice: the MCP endpoint and the two of HTTP+SSE need one each`
  }
}

const defaults: Paths = { path: "/sse", messagesPath: "/messages" }

/** Those that are asked for, each with a slash at its front. Dies with `PathsCollide`. */
export const resolve = (
  {
    messagesPath = defaults.messagesPath,
    path = defaults.path
  }: { readonly [Name in keyof Paths]?: string | undefined },
  endpointPath: string
): Effect.Effect<Paths> => {
  const [stream = "", messages = "", endpoint = ""] = [path, messagesPath, endpointPath].map(
    Admission.normalise
  )
  const twice =
    messages === stream || messages === endpoint ? messages : stream === endpoint ? stream : undefined
  return twice === undefined
    ? Effect.succeed({ path: rooted(path), messagesPath: rooted(messagesPath) })
    : Effect.die(new PathsCollide({ path: rooted(twice) }))
}

/** As a URL has it. */
const rooted = (path: string): string => (path.startsWith("/") ? path : `/${path}`)
