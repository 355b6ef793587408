/**
 * Where the buttons come from, a data folder and perhaps a definitions file, in absolute paths: clients start a server in a
 * folder of their own.
 */
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

/** The limits of an offering are for agents. */
export const layer = (
  { dataDir, definitions }: ButtonSource,
  { maxPresses, rate }: Partial<Pick<Offering, "rate" | "maxPresses">> = {}
) => Buttons.layer(dataDir, { definitions, rates: { presses: rate }, slots: { max: maxPresses } })

/** For commands that press nothing. */
export const layerAtRest = ({ dataDir, definitions }: ButtonSource) =>
  Buttons.layerAtRest(dataDir, { definitions })
