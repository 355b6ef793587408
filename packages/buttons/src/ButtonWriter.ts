/** Creating buttons, and showing them to agents or hiding them again. What nobody asked to change stays as it is. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Button from "./Button.js"
import { ButtonCatalogue } from "./ButtonCatalogue.js"
import { ButtonBroken, ButtonNotFound } from "./ButtonError.js"
import type { ButtonProblem } from "./ButtonProblem.js"
import type { DataDir } from "./DataDir.js"
import * as ButtonFolders from "./internal/buttonFolders.js"
import * as Writing from "./internal/buttonWriting.js"
import * as JsonMembers from "./internal/jsonMembers.js"
import * as NodeError from "./internal/nodeError.js"
import { byteLength, excerpt } from "./internal/text.js"
import * as NewButton from "./NewButton.js"
import * as Printable from "./Printable.js"
import * as Slug from "./Slug.js"
import {
  ButtonDefinedElsewhere,
  ButtonExists,
  ButtonInvalid,
  ButtonUnwritable,
  TooManyButtons
} from "./WriteRefused.js"

/** For those who must not fill the disk. */
export interface Bounds {
  /** How many buttons the folder may hold, with the new one. */
  readonly maxButtons: number
  /** Of all files of the new one together. */
  readonly maxBytes: number
}

export type CreateFailure = ButtonInvalid | ButtonExists | ButtonUnwritable | TooManyButtons
export type EnableFailure = ButtonNotFound | ButtonBroken | ButtonDefinedElsewhere | ButtonUnwritable

export class ButtonWriter extends Context.Tag("@pushbutton/buttons/ButtonWriter")<
  ButtonWriter,
  {
    /** Makes the folder of a new button, whole or not at all, and never over another one. Gives its slug. */
    readonly create: (button: NewButton.NewButton, bounds?: Bounds) => Effect.Effect<string, CreateFailure>
    /**
     * Sets `mcp_enabled`, and `updated_at` with it; every other character of the definition stays. Only a button
     * without errors is shown. Gives its slug, and whether there was anything to change.
     */
    readonly setEnabled: (
      name: string,
      isEnabled: boolean
    ) => Effect.Effect<{ readonly slug: string; readonly hasChanged: boolean }, EnableFailure>
  }
>() {}

/** How often a definition that others edit at the same time is read anew. */
const maxAttempts = 5

export const layerFileSystem = (dataDir: DataDir): Layer.Layer<ButtonWriter, never, ButtonCatalogue> =>
  Layer.effect(
    ButtonWriter,
    Effect.map(ButtonCatalogue, (catalogue) => makeFileSystem(dataDir, catalogue))
  )

export const makeFileSystem = (
  dataDir: DataDir,
  catalogue: ButtonCatalogue["Type"]
): ButtonWriter["Type"] => {
  const create = Effect.fnUntraced(function* (button: NewButton.NewButton, bounds?: Bounds) {
    const slug = yield* Either.mapLeft(
      NewButton.slugOf(button.name),
      (problem) => new ButtonInvalid({ problems: [problem] })
    )
    const now = yield* Clock.currentTimeMillis
    const files = yield* Either.mapLeft(
      NewButton.filesOf(slug, button, new Date(now).toISOString()),
      (problems) => new ButtonInvalid({ problems: problems.map(describe) })
    )
    if (yield* isDefined(slug)) return yield* new ButtonExists({ slug })
    if (bounds !== undefined) yield* checkBounds(slug, files, bounds)
    const isNew = yield* attempt(slug, () => Writing.create(dataDir, slug, files, now))
    return isNew ? slug : yield* new ButtonExists({ slug })
  }, Effect.uninterruptible)

  const checkBounds = Effect.fnUntraced(function* (
    slug: string,
    files: ReadonlyArray<NewButton.NewFile>,
    bounds: Bounds
  ) {
    const bytes = files.reduce((sum, { text }) => sum + byteLength(text), 0)
    if (bytes > bounds.maxBytes) {
      return yield* new ButtonInvalid({
        problems: [`a new button has at most ${bounds.maxBytes} bytes in all`]
      })
    }
    const count = yield* attempt(slug, () => Writing.count(dataDir))
    if (count >= bounds.maxButtons) return yield* new TooManyButtons({ limit: bounds.maxButtons })
  })

  /** Also by a definitions file, which has no folder that a new one would meet. */
  const isDefined = (slug: string) =>
    Effect.match(catalogue.get(slug), {
      onFailure: ({ _tag }) => _tag === "ButtonBroken",
      onSuccess: () => true
    })

  const setEnabled = Effect.fnUntraced(function* (name: string, isEnabled: boolean) {
    const slug = Slug.fromName(name)
    const names = Either.getOrElse(yield* ButtonFolders.names(dataDir), (): ReadonlyArray<string> => [])
    if (!names.includes(slug)) {
      return yield* (yield* isDefined(slug))
        ? new ButtonDefinedElsewhere({ slug })
        : new ButtonNotFound({ name })
    }
    for (let count = 0; count < maxAttempts; count++) {
      const source = yield* ButtonFolders.read(dataDir, slug)
      const { button, mcpEnabled, problems } = Button.decode(source)
      const isUsable = button !== undefined || !isEnabled
      if (!isUsable || Either.isLeft(source.text) || mcpEnabled === undefined) {
        return yield* new ButtonBroken({ slug, mcpEnabled, problems })
      }
      if (mcpEnabled === isEnabled) return { slug, hasChanged: false }
      const before = source.text.right
      const now = yield* Clock.currentTimeMillis
      const updatedAt = new Date(now).toISOString()
      const after = JsonMembers.set(before, { mcp_enabled: isEnabled, updated_at: updatedAt })
      const isReplaced = yield* attempt(slug, () => Writing.replace(dataDir, slug, before, after, now))
      if (isReplaced) return { slug, hasChanged: true }
    }
    return yield* new ButtonUnwritable({ slug, detail: "somebody else keeps changing it" })
  }, Effect.uninterruptible)

  const oneAtATime = Effect.unsafeMakeSemaphore(1).withPermits(1)
  return ButtonWriter.of({
    create: (button, bounds) => (bounds === undefined ? create(button) : oneAtATime(create(button, bounds))),
    setEnabled
  })
}

const attempt = <A>(slug: string, run: () => Promise<A>): Effect.Effect<A, ButtonUnwritable> =>
  Effect.tryPromise({
    try: run,
    catch: (error) => new ButtonUnwritable({ slug, detail: NodeError.code(error) })
  })

/** Of a definition that is not on a disk yet. */
const describe = ({ field, message }: ButtonProblem): string =>
  Printable.line(field === undefined ? message : `${excerpt(field)}: ${message}`)
