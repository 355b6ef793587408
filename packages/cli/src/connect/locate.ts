/** Which file of a client to write. */

import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import type * as Client from "./Client.js"
import * as ConnectError from "./ConnectError.js"
import type * as System from "./System.js"

/** The user's own file. Looks at the disk only where a client can be installed in more than one way. */
export const userFile = (
  client: Client.Client,
  system: System.System
): Effect.Effect<string, never, FileSystem.FileSystem> => {
  const packaged = client.packagedFile(system)
  if (packaged === undefined) return Effect.succeed(client.userFile(system))
  return Effect.flatMap(FileSystem.FileSystem, (fs) =>
    fs.exists(packaged.folder).pipe(
      Effect.orElseSucceed(() => false),
      Effect.map((exists) => (exists ? packaged.file : client.userFile(system)))
    )
  )
}

/** The file inside a project's folder. */
export const projectFile = (
  client: Client.Client,
  folder: string
): Effect.Effect<string, ConnectError.NoProjectFile> =>
  client.projectFile === undefined
    ? new ConnectError.NoProjectFile({ client: client.title })
    : Effect.succeed(join(folder, ...client.projectFile))
