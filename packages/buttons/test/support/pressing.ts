/** What a press may need besides the parts that a test is about. */
import * as Batteries from "@pushbutton/buttons/Batteries"
import * as HttpRunner from "@pushbutton/buttons/http/HttpRunner"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** No batteries are there, and nothing is sent. */
export const noBatteriesNoHttp = Layer.merge(
  Batteries.layerMemory({}),
  HttpRunner.layerTest(() => Effect.die("was sent"))
)
