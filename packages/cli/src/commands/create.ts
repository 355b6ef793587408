/** `pushbutton create` */
import { basename } from "node:path"
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as FileSystem from "@effect/platform/FileSystem"
import { ButtonWriter } from "@pushbutton/buttons/ButtonWriter"
import * as Printable from "@pushbutton/buttons/Printable"
import { toWriteFailure } from "@pushbutton/buttons/WriteRefused"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ButtonSource from "../ButtonSource.js"
import * as NewButtonArguments from "../NewButtonArguments.js"
import * as Output from "../Output.js"
import { refuse } from "./Failed.js"
import { definitions, dir, json } from "./options.js"
import { sourceOf } from "./sourceOf.js"

const name = Args.text({ name: "NAME" }).pipe(Args.withDescription("What it is to be called."))

const text = (option: string, pseudoName: string, description: string) =>
  Options.text(option).pipe(
    Options.withPseudoName(pseudoName),
    Options.withDescription(description),
    Options.optional,
    Options.map(Option.getOrUndefined)
  )

const texts = (option: string, pseudoName: string, description: string) =>
  Options.text(option).pipe(
    Options.withPseudoName(pseudoName),
    Options.withDescription(`${description} May be given several times.`),
    Options.repeated
  )

const options = {
  name,
  code: text("code", "script", "What it runs."),
  file: text("file", "path", "A file with what it runs; .py is for Python and .js for Node."),
  prompt: text("prompt", "text", "What it answers with, instead of running anything."),
  url: text("url", "url", "Where it sends a request, instead of running anything."),
  runtime: Options.choice("runtime", NewButtonArguments.runtimes).pipe(
    Options.withDescription("What runs --code or --file; shell when left out."),
    Options.optional,
    Options.map(Option.getOrUndefined)
  ),
  method: text("method", "method", "Of the request; GET when left out."),
  headers: texts("header", "name: value", "Of the request."),
  body: text("body", "text", "Of the request."),
  description: text("description", "text", "What it does, for whoever is to press it."),
  args: texts(
    "arg",
    "name:type:required",
    "What it takes: name:type:optional, name:enum:required:one|other."
  ),
  tags: texts("tag", "word", "A word to find it by."),
  batteries: texts("battery", "name", "A battery that it needs."),
  timeoutSeconds: Options.integer("timeout").pipe(
    Options.withPseudoName("seconds"),
    Options.withDescription("How long a press may take; 300 when left out."),
    Options.optional,
    Options.map(Option.getOrUndefined)
  ),
  enabled: Options.boolean("enabled").pipe(Options.withDescription("Clients see it.")),
  dir,
  definitions,
  json
}

export const create = Command.make("create", options, ({ definitions, dir, file, json, ...given }) =>
  Effect.gen(function* () {
    const invalid = (message: string) => refuse({ code: "VALIDATION_ERROR", message }, json)
    const source = yield* sourceOf({ dir, definitions, json })
    const code = file === undefined ? undefined : yield* Effect.catchAll(read(file), invalid)
    const button = yield* Effect.catchAll(NewButtonArguments.toNewButton({ ...given, file: code }), invalid)
    const slug = yield* Effect.provide(
      Effect.flatMap(ButtonWriter, (writer) => writer.create(button)),
      ButtonSource.layerAtRest(source)
    ).pipe(Effect.catchAll((error) => refuse(toWriteFailure(error), json)))
    const folder = `${source.dataDir.buttons}/${slug}`
    const renamed = slug === given.name ? "" : `; names have a-z, 0-9 and - only, so it is called ${slug}`
    yield* json
      ? Output.data({ created: slug, folder, mcp_enabled: button.mcpEnabled })
      : Console.log(Printable.line(`Created ${folder}${renamed}`))
  })
).pipe(Command.withDescription("Makes a new button; an existing one is never changed."))

const read = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fileSystem) => fileSystem.readFileString(path)).pipe(
    Effect.mapBoth({
      onFailure: (error) => Printable.line(`--file ${path} cannot be read: ${error.message}`),
      onSuccess: (content) => ({ name: basename(path), text: content })
    })
  )
