/**
 * Where the buttons come from, a data folder and perhaps a definitions file, in absolute paths: clients start a server in a
 * folder of their own.
 */
import { existsSync } from "node:fs"
import * as DataDir from "@pushbutton/buttons/DataDir"
import * as Effect from "effect/Effect"
import * as Buttons from "./Buttons.js"
import type { Offering } from "./Offering.js"

export interface ButtonSource {
  readonly dataDir: DataDir.DataDir
  readonly definitions: string | undefined
}

export interface Options {
  readonly dir: string | undefined
  readonly definitions: string | undefined
}

export const resolve = ({
  definitions,
  dir
}: Options): Effect.Effect<ButtonSource, DataDir.DataDirUnusable> =>
  Effect.all({
    dataDir: Buttons.dataDir(dir),
    definitions: definitions === undefined ? Effect.succeed(undefined) : DataDir.absolutePath(definitions)
  })

/** What `--dir` has to name for the same to be served: the data folder has more than buttons, as soon as it has any. */
export const folderOf = ({ buttons, root }: DataDir.DataDir): string => (existsSync(buttons) ? root : buttons)

type Limits = Partial<Pick<Offering, "rate" | "maxPresses">>

/** The limits of an offering are for agents. */
export const layer = (source: ButtonSource, limits: Limits = {}) =>
  Buttons.layer(source.dataDir, options(source, limits))

/** What `layer` gives, for as long as the scope lives. */
export const make = (source: ButtonSource, limits: Limits) =>
  Buttons.make(source.dataDir, options(source, limits))

const options = ({ definitions }: ButtonSource, { maxPresses, rate }: Limits) => ({
  definitions,
  rates: { presses: rate },
  slots: { max: maxPresses }
})

/** For commands that press nothing. */
export const layerAtRest = ({ dataDir, definitions }: ButtonSource) =>
  Buttons.layerAtRest(dataDir, { definitions })
