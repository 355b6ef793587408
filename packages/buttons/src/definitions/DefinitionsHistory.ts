/** History of a button that is named: of the definitions file where that has one of the name, else of the folder. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PressHistory } from "../PressHistory.js"
import { Definitions } from "./Definitions.js"

export const layer: Layer.Layer<PressHistory, never, PressHistory | Definitions> = Layer.effect(
  PressHistory,
  Effect.map(Effect.all([PressHistory, Definitions]), ([history, definitions]) => make(history, definitions))
)

export const make = (history: PressHistory["Type"], { current }: Definitions["Type"]): PressHistory["Type"] =>
  PressHistory.of({
    ...history,
    recent: (slug, limit, origin) =>
      Effect.flatMap(current, ({ defined }) => {
        const isDefined = defined.buttons.some(({ button }) => button.slug === slug)
        return history.recent(slug, limit, origin ?? (isDefined ? "definitions" : "folder"))
      })
  })
