/** Guards as a server has them. */
import * as PressQueues from "@pushbutton/buttons/PressQueues"
import * as PressRates from "@pushbutton/buttons/PressRates"
import * as Layer from "effect/Layer"

export const guards = Layer.merge(PressRates.layerMemory(), PressQueues.layerMemory())
