/**
 * One button as its folder describes it. Decoding is lenient where the format is, reports everything that is wrong at
 * once, and keeps the whole object that was read. A button's identity is its folder's name, never the `name` field.
 */
import { exceedsDepth, isObject, type JsonObject, maxDepth } from "@pushbutton/protocol/Json"
import * as Either from "effect/Either"
import * as BatteryNames from "./BatteryNames.js"
import type { ButtonProblem, Severity } from "./ButtonProblem.js"
import * as HttpDefinition from "./http/HttpDefinition.js"
import * as Args from "./internal/buttonArgs.js"
import * as Environment from "./internal/buttonEnv.js"
import * as Files from "./internal/buttonFiles.js"
import * as Queue from "./internal/buttonQueue.js"
import * as Fields from "./internal/jsonFields.js"
import * as JsonLines from "./internal/jsonLines.js"
import * as RepeatedNames from "./internal/repeatedNames.js"
import { quote } from "./internal/text.js"
import type { Origin } from "./PressResult.js"
import * as Runtime from "./Runtime.js"
import * as Slug from "./Slug.js"

export type ArgType = "string" | "int" | "bool" | "enum"

export interface ArgDef {
  readonly name: string
  readonly type: ArgType
  readonly required: boolean
  /** What an enum accepts; empty for other types. */
  readonly values: ReadonlyArray<string>
}

export interface Button {
  readonly slug: string
  /** A folder when left out. */
  readonly origin?: Origin
  readonly description: string
  readonly runtime: Runtime.Runtime
  readonly args: ReadonlyArray<ArgDef>
  readonly env: Readonly<Record<string, string>>
  /** Names of the batteries that it gets; without one of them it is not pressed. */
  readonly requiredBatteries: ReadonlyArray<string>
  /** What is sent where: of an HTTP button only. */
  readonly http: HttpDefinition.HttpDefinition | undefined
  /** Undefined when the definition sets none that is usable. */
  readonly timeoutSeconds: number | undefined
  /** Where presses wait for each other; without one they run one at a time, and others are refused. */
  readonly queue: Queue.QueueDef | undefined
  readonly mcpEnabled: boolean
  readonly tags: ReadonlyArray<string>
  readonly outputSchema: JsonObject | undefined
  /** Absolute. */
  readonly directory: string
  /** Relative to the data directory: for messages. */
  readonly relativeDirectory: string
  /** Name of the file inside the folder; undefined when there is none or it is missing. */
  readonly codeFile: string | undefined
  /** Code without a file, of a definitions file. */
  readonly inlineCode?: string | undefined
  readonly noteFile: string | undefined
  /** `button.json` as it was read, unknown fields included. */
  readonly raw: JsonObject
}

/** A button folder as read from disk. */
export interface Source {
  readonly slug: string
  readonly directory: string
  readonly relativeDirectory: string
  /** The text of `button.json`, or why there is none. */
  readonly text: Either.Either<string, string>
  /** Names of the regular files in the folder; those that no button reads may be left out. */
  readonly files: ReadonlySet<string>
  /** Files that are there and must not be used, and why. */
  readonly refused?: ReadonlyMap<string, string> | undefined
}

export interface Decoded {
  /** Undefined when an error keeps the button from being used; a missing code file or note does not. */
  readonly button: Button | undefined
  /** What the definition says, also when the button is broken; undefined when it cannot be read. */
  readonly mcpEnabled: boolean | undefined
  readonly problems: ReadonlyArray<ButtonProblem>
}

/** Longest timeout that is not remarked on: a day. */
export const maxTimeoutSeconds = 86_400

export const decode = (source: Source): Decoded => {
  const file = `${source.relativeDirectory}/button.json`
  const wrongFolder: ReadonlyArray<ButtonProblem> = Slug.isSlug(source.slug)
    ? []
    : [
        {
          slug: source.slug,
          file: source.relativeDirectory,
          severity: "error",
          message: renameAdvice(source.slug)
        }
      ]
  const refuse = (message: string, line?: number): Decoded => ({
    button: undefined,
    mcpEnabled: undefined,
    problems: [
      ...wrongFolder,
      { slug: source.slug, file, severity: "error", message, ...(line === undefined ? {} : { line }) }
    ]
  })

  if (Either.isLeft(source.text)) return refuse(source.text.left)
  const text = source.text.right
  const parsed = parse(text)
  if (Either.isLeft(parsed))
    return refuse(`column ${parsed.left.column}: ${parsed.left.message}`, parsed.left.line)
  const raw = parsed.right
  if (!isObject(raw)) return refuse("must hold a JSON object")
  if (exceedsDepth(raw, maxDepth)) return refuse(`is nested deeper than ${maxDepth} levels`)

  const issues: Array<Issue> = []
  const report: Fields.Report = (severity, field, message) => issues.push({ severity, field, message })
  for (const field of RepeatedNames.find(text, raw)) {
    report("warning", field, "is there more than once; the last one counts")
  }
  const button = decodeFields(source, raw, report)
  const located = issues.length > 0 ? JsonLines.locate(text) : undefined
  const problems = issues.map((issue): ButtonProblem => {
    const line = located && JsonLines.lineOf(located, issue.field)
    return { slug: source.slug, file, ...(line === undefined ? {} : { line }), ...issue }
  })
  const refused = Files.refused(source, button.runtime)
  // A runtime that nobody knows says nothing of which files there are to be.
  const missing = problems.some(({ field, severity }) => field === "runtime" && severity === "error")
    ? []
    : Files.missing(source, button.runtime)
  const usable = ![...wrongFolder, ...problems, ...refused].some(({ severity }) => severity === "error")
  return {
    button: usable ? button : undefined,
    mcpEnabled: button.mcpEnabled,
    problems: [
      ...wrongFolder,
      ...[...problems].sort((one, other) => (one.line ?? 0) - (other.line ?? 0)),
      ...(refused.length > 0 ? refused : missing)
    ]
  }
}

interface Issue {
  readonly severity: Severity
  readonly field: string
  readonly message: string
}

const renameAdvice = (folder: string): string => {
  const slug = Slug.fromName(folder)
  const advice = slug === "" ? "use a-z, 0-9 and -" : `rename it to ${quote(slug)}`
  return `the folder's name is not a button name; ${advice}`
}

const parse = (text: string): Either.Either<unknown, { line: number; column: number; message: string }> => {
  try {
    return Either.right(JSON.parse(text))
  } catch {
    return Either.left(JsonLines.locate(text).error ?? { line: 1, column: 1, message: "is not JSON" })
  }
}

const decodeFields = (source: Source, raw: JsonObject, report: Fields.Report): Button => {
  const fields = Fields.make(raw, "", report, "error")
  const schemaVersion = fields.integer("schema_version")
  if (schemaVersion !== undefined && (schemaVersion < 0 || schemaVersion > 2)) {
    report("warning", "schema_version", `is ${schemaVersion}; versions 1 and 2 are known`)
  }
  checkName(source.slug, fields.string("name"), report)
  checkKind(fields.string("kind"), report)
  const url = fields.string("url") ?? ""
  const runtime = decodeRuntime(url, fields, report)
  const timeoutSeconds = decodeTimeout(fields.integer("timeout_seconds"), report)
  const args = Args.decode(fields.array("args") ?? [], report)
  const button: Button = {
    slug: source.slug,
    description: fields.string("description") ?? "",
    runtime,
    args,
    env: Environment.check(fields.stringMap("env") ?? {}, report),
    requiredBatteries: BatteryNames.check(fields.strings("requires_batteries") ?? [], runtime, report),
    http: url === "" ? undefined : HttpDefinition.decode(url, fields, args, report),
    timeoutSeconds,
    queue: Queue.decode(fields.object("queue"), report),
    mcpEnabled: fields.boolean("mcp_enabled") ?? false,
    tags: fields.strings("tags") ?? [],
    outputSchema: Fields.make(raw, "", report, "warning").object("output_schema"),
    directory: source.directory,
    relativeDirectory: source.relativeDirectory,
    codeFile: Runtime.isCode(runtime) ? Files.present(source, [Runtime.codeFile[runtime]]) : undefined,
    noteFile: Files.present(source, Files.noteFiles),
    raw
  }
  return button
}

const checkName = (slug: string, name: string | undefined, report: Fields.Report): void => {
  if (name === undefined) report("warning", "name", `is missing; write ${quote(slug)}`)
  else if (name !== slug) {
    // A name that slugifies to the folder names the same button for every reader of the format.
    const severity = Slug.fromName(name) === slug ? "warning" : "error"
    report(severity, "name", `is ${quote(name)} but the folder is ${quote(slug)}; the two must be equal`)
  }
}

const checkKind = (kind: string | undefined, report: Fields.Report): void => {
  if (kind === undefined || kind === "" || kind === "button") return
  if (kind === "app") report("error", "kind", "apps are served, not pressed; this is not a button")
  else report("warning", "kind", `unknown kind ${quote(kind)}; it is read as a button`)
}

/** A url makes an HTTP button, whatever the runtime is said to be. */
const decodeRuntime = (url: string, fields: Fields.Fields, report: Fields.Report): Runtime.Runtime => {
  const alias = fields.string("runtime") ?? ""
  const runtime = Runtime.fromAlias(alias)
  if (url !== "") {
    if (alias !== "" && alias !== "http")
      report("warning", "runtime", `is ${quote(alias)}, but the url makes this an HTTP button`)
    return "http"
  }
  if (runtime === "http") report("error", "runtime", "an HTTP button needs a url")
  else if (runtime === undefined) report("error", "runtime", `unknown runtime ${quote(alias)}`)
  return runtime ?? "prompt"
}

const decodeTimeout = (seconds: number | undefined, report: Fields.Report): number | undefined => {
  if (seconds === undefined) return undefined
  if (seconds <= 0) {
    report("warning", "timeout_seconds", `is ${seconds}; the default is used`)
    return undefined
  }
  if (seconds > maxTimeoutSeconds) report("warning", "timeout_seconds", `is ${seconds}: longer than a day`)
  return seconds
}
