/** A dispatcher that decides as the test says. */

import type { Incoming } from "@pushbutton/protocol/JsonRpc"
import type { Call, Decision, Facts, Outlet, Reply } from "@pushbutton/server/Decision"
import { Dispatcher } from "@pushbutton/server/Dispatcher"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const layer = (decide: (message: Incoming, facts: Facts) => Decision): Layer.Layer<Dispatcher> =>
  Layer.succeed(Dispatcher, Dispatcher.of({ decide, servesLegacy: true }))

export const refused: Reply = { status: 200, text: '{"refused":true}' }

export const call = (
  era: Call["era"],
  run: (outlet: Outlet) => Effect.Effect<Reply>,
  id: string | number = 1
): Decision => ({
  _tag: "Call",
  call: { id, era, start: (outlet, fork) => fork(run(outlet), Context.empty()), refuse: () => refused }
})
