/** What can stop `connect`, as facts, and the one text that tells them to a person. */
import * as Data from "effect/Data"

/** The client's configuration file cannot hold a server with a URL. */
export class HttpNotSupported extends Data.TaggedError("HttpNotSupported")<{ readonly client: string }> {}

/** A name, command, argument, variable or URL that no configuration file can carry. */
export class InvalidServer extends Data.TaggedError("InvalidServer")<{
  readonly field: string
  readonly detail: string
}> {}

/** The client has no configuration file inside projects. */
export class NoProjectFile extends Data.TaggedError("NoProjectFile")<{ readonly client: string }> {}

/** The existing file is not what its client can read. `line` and `column` count from 1. */
export class ConfigBroken extends Data.TaggedError("ConfigBroken")<{
  readonly file: string
  readonly line: number
  readonly column: number
  readonly detail: string
}> {}

/** The existing file is sound, but the entry cannot be put into it without touching something else. */
export class ConfigUneditable extends Data.TaggedError("ConfigUneditable")<{
  readonly file: string
  readonly line: number
  readonly detail: string
}> {}

/** An entry of that name is there and says something else. Both texts are as they stand in such a file. */
export class EntryDiffers extends Data.TaggedError("EntryDiffers")<{
  readonly file: string
  readonly name: string
  readonly existing: string
  readonly proposed: string
}> {}

/** Somebody else wrote the file between the moment it was read and the moment it would have been replaced. */
export class ConfigChanged extends Data.TaggedError("ConfigChanged")<{ readonly file: string }> {}

/** The file system refused. The file is as it was. */
export class FileFailed extends Data.TaggedError("FileFailed")<{
  readonly file: string
  readonly step: string
  readonly detail: string
}> {}

export type EntryError = HttpNotSupported | InvalidServer
export type MergeError = ConfigBroken | ConfigUneditable | EntryDiffers
export type WriteError = MergeError | ConfigChanged | FileFailed
export type ConnectError = EntryError | NoProjectFile | WriteError

/** One error for a person to read; several lines where it shows two entries. */
export const toText = (error: ConnectError): string => {
  switch (error._tag) {
    case "HttpNotSupported":
      return `${error.client} cannot take a server by URL from its configuration file; connect it over stdio`
    case "InvalidServer":
      return `The ${error.field} ${error.detail}`
    case "NoProjectFile":
      return `${error.client} has no configuration file inside projects`
    case "ConfigBroken":
      return `${error.file}:${error.line}:${error.column}: ${error.detail}; nothing was written`
    case "ConfigUneditable":
      return `${error.file}:${error.line}: ${error.detail}; nothing was written`
    case "EntryDiffers":
      return [
        `${error.file} already has another entry named "${error.name}"; nothing was written`,
        `There now:\n${error.existing}`,
        `Proposed:\n${error.proposed}`
      ].join("\n\n")
    case "ConfigChanged":
      return `${error.file} was changed by another program meanwhile; nothing was written, try again`
    case "FileFailed":
      return `Cannot ${error.step} ${error.file}: ${error.detail}`
  }
}
