/** History of a button that is named: of the definitions file where that has one of the name, else of the folder. */
import * as Effect from "effect/Effect"
import { PressHistory } from "../PressHistory.js"
import type { Definitions } from "./Definitions.js"

export const make = (history: PressHistory["Type"], { current }: Definitions["Type"]): PressHistory["Type"] =>
  PressHistory.of({
    ...history,
    recent: (slug, limit, origin) =>
      Effect.flatMap(current, ({ defined }) => {
        const isDefined = defined.buttons.some(({ button }) => button.slug === slug)
        return history.recent(slug, limit, origin ?? (isDefined ? "definitions" : "folder"))
      })
  })
