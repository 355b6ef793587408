// All benches, in the order in which they run.
import { benches as features } from "./features.mjs"
import { benches as growth } from "./growth.mjs"
import { benches as http } from "./http.mjs"
import { benches as presses } from "./presses.mjs"
import { benches as starts } from "./start.mjs"
import { benches as stdio } from "./stdio.mjs"
import { benches as subscriptions } from "./subscriptions.mjs"

/** @type {ReadonlyArray<import("./context.mjs").Bench>} */
export const benches = [...http, ...stdio, ...starts, ...subscriptions, ...presses, ...features, ...growth]
