/** The path and the query of a URL with `{{argument}}` in them. A value can neither leave its segment nor its pair. */
import * as Either from "effect/Either"
import type { ArgDef } from "../Button.js"
import type { ArgumentIssue } from "../ButtonError.js"
import { quote } from "../internal/text.js"
import * as Encoding from "./encoding.js"
import * as Template from "./Template.js"

export interface UrlTemplate {
  /** Between the slashes; the first is what stands before the first slash, which is nothing. */
  readonly segments: ReadonlyArray<Template.Template>
  /** Between the ampersands. */
  readonly pairs: ReadonlyArray<Template.Template>
}

/** `text` is what follows the host. A fragment is never sent, so it is left out. */
export const parse = (text: string, args: ReadonlyArray<ArgDef>): UrlTemplate => {
  const [whole = ""] = text.split("#", 1)
  const mark = whole.indexOf("?")
  const path = mark === -1 ? whole : whole.slice(0, mark)
  const query = mark === -1 ? "" : whole.slice(mark + 1)
  return {
    segments: Template.split(literals(Template.parse(path || "/", args)), "/"),
    pairs: query === "" ? [] : Template.split(literals(Template.parse(query, args)), "&")
  }
}

const literals = (template: Template.Template): Template.Template =>
  template.map((part) => (typeof part === "string" ? Encoding.literal(part) : part))

/**
 * What goes into the request line. An argument that was left out is nothing in the path and takes its pair out of the
 * query. A value that would turn a whole segment into `.` or `..` is refused.
 */
export const render = (
  { pairs, segments }: UrlTemplate,
  values: Template.Values
): Either.Either<string, ReadonlyArray<ArgumentIssue>> => {
  const rendered = segments.map((segment) => Template.render(segment, values, Encoding.pathSegment))
  const issues = segments.flatMap((segment, index) =>
    isDots(rendered[index] ?? "") ? segment.flatMap(refusal) : []
  )
  if (issues.length > 0) return Either.left(issues)
  const query = pairs
    .filter((pair) => Template.isFilled(pair, values))
    .map((pair) => Template.render(pair, values, Encoding.query))
  return Either.right([rendered.join("/"), ...(query.length === 0 ? [] : [query.join("&")])].join("?"))
}

const isDots = (segment: string): boolean => /^(?:\.|%2e){1,2}$/i.test(segment)

const refusal = (part: Template.Part): ReadonlyArray<ArgumentIssue> =>
  typeof part === "string"
    ? []
    : [
        {
          argument: part.name,
          reason: "invalid",
          detail: `${quote(part.name)} must not make a part of the path . or ..`
        }
      ]
