/** Guards as a server has them; nothing is noted. */
import * as PressJournal from "@pushbutton/buttons/PressJournal"
import * as PressKeys from "@pushbutton/buttons/PressKeys"
import * as PressQueues from "@pushbutton/buttons/PressQueues"
import * as PressRates from "@pushbutton/buttons/PressRates"
import * as PressSlots from "@pushbutton/buttons/PressSlots"
import * as Layer from "effect/Layer"

export const guards = Layer.mergeAll(
  PressRates.layerMemory(),
  PressQueues.layerMemory(),
  PressSlots.layerMemory(),
  PressJournal.layerTest,
  PressKeys.layerMemory()
)
