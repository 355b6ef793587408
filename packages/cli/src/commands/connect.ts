/** `pushbutton connect` */
import { realpathSync } from "node:fs"
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ButtonSource from "../ButtonSource.js"
import * as Client from "../connect/Client.js"
import * as ConnectError from "../connect/ConnectError.js"
import * as Entry from "../connect/entry.js"
import * as Locate from "../connect/locate.js"
import * as System from "../connect/System.js"
import * as Write from "../connect/write.js"
import * as Offering from "../Offering.js"
import { Failed } from "./Failed.js"
import { checked, offering } from "./offeringOptions.js"
import { definitions, dir } from "./options.js"
import { sourceOf } from "./sourceOf.js"

const client = Args.choice(
  Client.names.map((name) => [name, name] as const),
  { name: "CLIENT" }
).pipe(Args.withDescription(`One of ${Client.names.join(", ")}.`))

const write = Options.boolean("write").pipe(
  Options.withDescription("Put the entry into the client's file, beside what is there. A backup is kept.")
)

const replace = Options.boolean("replace").pipe(
  Options.withDescription("With --write: an entry of the same name that differs gives way.")
)

const project = Options.text("project").pipe(
  Options.withPseudoName("folder"),
  Options.withDescription("Use the client's file in this project instead of the user's own."),
  Options.optional
)

const name = Options.text("name").pipe(
  Options.withDescription("What the client calls this server."),
  Options.withDefault("pushbutton")
)

const url = Options.text("url").pipe(
  Options.withDescription("Connect to a running `pushbutton http` instead of launching a process."),
  Options.optional
)

export const connect = Command.make(
  "connect",
  { client, write, replace, project, name, url, dir, definitions, ...offering },
  (options) =>
    Effect.gen(function* () {
      yield* checked(options)
      const chosen = Client.all[options.client]
      const server = Option.isSome(options.url)
        ? { name: options.name, url: options.url.value }
        : launched(options, yield* sourceOf({ ...options, json: false }))
      const entry = yield* Entry.make(chosen, server)
      const file = yield* Option.isSome(options.project)
        ? Locate.projectFile(chosen, options.project.value)
        : Locate.userFile(chosen, System.fromProcess())
      if (!options.write) {
        yield* Console.error(`For ${chosen.title}, in ${file} (--write puts it there):`)
        return yield* Console.log(Entry.render(entry))
      }
      yield* Console.log(outcome(yield* Write.write({ file, entry, replace: options.replace })))
    }).pipe(Effect.catchAll((error) => new Failed({ message: explain(error) })))
).pipe(Command.withDescription("Shows, or writes with --write, a client's configuration for this server."))

const launched = (
  { name, ...offering }: Offering.Offering & { readonly name: string },
  { dataDir, definitions }: ButtonSource.ButtonSource
) =>
  Entry.servingFolder({
    name,
    node: process.execPath,
    script: realpathSync(process.argv[1] ?? ""),
    folder: ButtonSource.folderOf(dataDir),
    definitions,
    options: Offering.words(offering)
  })

const explain = (error: ConnectError.ConnectError | Failed): string => {
  if (error._tag === "Failed") return error.message
  return error._tag === "EntryDiffers"
    ? `${ConnectError.toText(error)}\n\nWith --replace the proposed one takes its place.`
    : ConnectError.toText(error)
}

const outcome = (done: Write.Outcome): string => {
  switch (done._tag) {
    case "Unchanged":
      return `${done.file} has this entry already`
    case "Created":
      return `${done.file} was created. Restart the client to connect.`
    case "Updated":
      return `${done.file} was updated; what it held before is in ${done.backup}. Restart the client to connect.`
  }
}
