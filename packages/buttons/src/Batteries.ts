/**
 * Secrets that are kept beside the buttons, by name. A script is given those that its button requires, and every one of
 * them is kept out of what a press says.
 */
import { isObject } from "@pushbutton/protocol/Json"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as BatteryNames from "./BatteryNames.js"
import type { Button } from "./Button.js"
import { BatteriesUnreadable, BatteryMissing } from "./ButtonError.js"
import type { DataDir } from "./DataDir.js"
import * as BatteryFiles from "./internal/batteryFiles.js"
import * as Paths from "./internal/paths.js"

/** What is charged now. */
export interface Charged {
  readonly values: ReadonlyMap<string, string>
  /** Files that are there and cannot be used. */
  readonly unreadable: ReadonlyArray<{ readonly file: string; readonly detail: string }>
}

export class Batteries extends Context.Tag("@pushbutton/buttons/Batteries")<
  Batteries,
  { readonly read: Effect.Effect<Charged> }
>() {}

/** Reads the files at every press. Each must belong to this user or to root, and nobody else may read or change it. */
export const ofFiles = (files: ReadonlyArray<BatteryFile>): Batteries["Type"] =>
  Batteries.of({ read: Effect.map(Effect.forEach(files, load), combine) })

export const layerMemory = (values: Readonly<Record<string, string>>): Layer.Layer<Batteries> =>
  Layer.succeed(
    Batteries,
    Batteries.of({ read: Effect.succeed({ values: new Map(Object.entries(values)), unreadable: [] }) })
  )

export interface BatteryFile {
  readonly path: string
  /** For messages. */
  readonly name: string
}

export interface Facts {
  /** The absolute path in BUTTONS_HOME. */
  readonly buttonsHome: string | undefined
  readonly home: string | undefined
}

/**
 * The global file first: of BUTTONS_HOME, else of `~/.buttons`. A data folder that is not that one has a file of its own,
 * which wins.
 */
export const files = (
  { root, source }: DataDir,
  { buttonsHome, home }: Facts
): ReadonlyArray<BatteryFile> => {
  const own = { path: Paths.join(root, "batteries.json"), name: "batteries.json of the data folder" }
  if (source === "environment" || source === "home") return [own]
  const folder = buttonsHome ?? (home === undefined ? undefined : Paths.join(home, ".buttons"))
  if (folder === undefined || folder === root) return [own]
  return [{ path: Paths.join(folder, "batteries.json"), name: "the global batteries.json" }, own]
}

/** The variables of a script whose button requires batteries. */
export const variables = (
  { requiredBatteries, slug }: Button,
  { unreadable, values }: Charged
): Either.Either<Readonly<Record<string, string>>, BatteriesUnreadable | BatteryMissing> => {
  const [wrong] = unreadable
  if (requiredBatteries.length > 0 && wrong !== undefined) {
    return Either.left(new BatteriesUnreadable({ slug, ...wrong }))
  }
  const names = requiredBatteries.filter((name) => !values.has(name))
  if (names.length > 0) return Either.left(new BatteryMissing({ slug, names }))
  return Either.right(
    Object.fromEntries(
      requiredBatteries.map((name) => [BatteryNames.variableName(name), values.get(name) ?? ""])
    )
  )
}

/** The content of a file; left is what is wrong with it. Entries that cannot be a variable are left out. */
export const decode = (text: string): Either.Either<ReadonlyMap<string, string>, string> => {
  const document = parse(text)
  if (!isObject(document)) return Either.left("does not hold a JSON object")
  const batteries = document["batteries"] ?? {}
  if (!isObject(batteries)) return Either.left("has no object of batteries")
  const values = new Map<string, string>()
  for (const [name, value] of Object.entries(batteries)) {
    if (BatteryNames.isName(name) && typeof value === "string" && !value.includes("\0"))
      values.set(name, value)
  }
  return Either.right(values)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const load = ({ name, path }: BatteryFile) =>
  Effect.map(BatteryFiles.read(path), (text) => ({
    name,
    values: Either.flatMap(text, (content) =>
      content === undefined ? Either.right(new Map<string, string>()) : decode(content)
    )
  }))

const combine = (loaded: ReadonlyArray<Effect.Effect.Success<ReturnType<typeof load>>>): Charged => ({
  values: new Map(loaded.flatMap(({ values }) => (Either.isRight(values) ? [...values.right] : []))),
  unreadable: loaded.flatMap(({ name, values }) =>
    Either.isLeft(values) ? [{ file: name, detail: values.left }] : []
  )
})
