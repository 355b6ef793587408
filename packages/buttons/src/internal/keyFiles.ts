/** Idempotency keys as files. */
import { randomBytes } from "node:crypto"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type { DataDir } from "../DataDir.js"
import { PressKeysFailed } from "../PressRefused.js"
import type { Driver } from "./keyedPresses.js"
import * as Opening from "./opening.js"
import * as OwnFolder from "./ownFolder.js"
import * as TextFolder from "./textFolder.js"

/** A folder that is only a folder of buttons gets no other that could be taken for one. */
const folderOf = ({ buttons, root }: DataDir): string =>
  buttons === root ? Path.join(root, OwnFolder.hidden, "idempotency") : Path.join(root, "idempotency")

export const make = Effect.fnUntraced(function* (dataDir: DataDir) {
  const folder = folderOf(dataDir)
  const owner = yield* Effect.acquireRelease(Effect.sync(Opening.enter), (entered) =>
    Effect.sync(() => Opening.leave(entered))
  )
  let secret: string | undefined
  const driver: Driver = {
    owner,
    secret: Effect.suspend(() =>
      secret === undefined
        ? Effect.map(
            attempt(() => secretOf(folder)),
            (found) => {
              secret = found
              return found
            }
          )
        : Effect.succeed(secret)
    ),
    stateOf: (other) =>
      Effect.sync(() => {
        if (Opening.isOver(other)) return "over"
        return Opening.isHere(other) ? "alive" : "unknown"
      }),
    read: (id) => attempt(() => TextFolder.read(folder, id)),
    create: (id, text) =>
      attempt(async () => {
        TextFolder.make(folder)
        return TextFolder.create(folder, id, text)
      }),
    write: (id, text) => attempt(() => TextFolder.write(folder, id, text)),
    remove: (id) => attempt(() => TextFolder.remove(folder, id)),
    take: (id, text) => attempt(() => TextFolder.take(folder, id, text)),
    list: attempt(async () => (await TextFolder.list(folder)).filter(({ id }) => /^[0-9a-f]{64}$/.test(id)))
  }
  return driver
})

/** One for all servers of the folder; whoever comes first makes it. */
const secretOf = async (folder: string): Promise<string> => {
  // Refuses a folder that is somebody else's, who could have written results into it.
  TextFolder.make(folder)
  const known = await TextFolder.read(folder, "secret")
  if (known !== undefined) return known
  const fresh = randomBytes(32).toString("hex")
  if (await TextFolder.create(folder, "secret", fresh)) return fresh
  return (await TextFolder.read(folder, "secret")) ?? fresh
}

const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, PressKeysFailed> =>
  Effect.uninterruptible(
    Effect.tryPromise({
      try: run,
      catch: (error) => new PressKeysFailed({ detail: TextFolder.problem(error) })
    })
  )
