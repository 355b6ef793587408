/** The `queue` of a button definition, and which queue a press waits in. */
import type { JsonObject } from "@pushbutton/protocol/Json"
import type { Queue } from "../PressQueues.js"
import * as Fields from "./jsonFields.js"
import { memberPath } from "./jsonLines.js"
import * as Placeholders from "./placeholders.js"

export interface QueueDef {
  readonly name: string
  readonly concurrency: number
  /** A template: `${args.x}` and `${inputs.x}` stand for arguments. */
  readonly key: string
}

/** Undefined for a queue without a name, which is none. */
export const decode = (queue: JsonObject | undefined, report: Fields.Report): QueueDef | undefined => {
  if (queue === undefined) return undefined
  const fields = Fields.make(queue, "queue", report, "error")
  const name = fields.string("name") ?? ""
  const concurrency = fields.integer("concurrency")
  const key = fields.string("key") ?? ""
  if (name === "") {
    report("warning", "queue", "has no name; presses run one at a time and do not wait")
    return undefined
  }
  if (concurrency !== undefined && concurrency < 1)
    report("warning", memberPath("queue", "concurrency"), `is ${concurrency}; one press runs at a time`)
  return { name, concurrency: Math.max(1, concurrency ?? 1), key }
}

const argument = /\$\{(?:inputs|args)\.([^}]*)\}/g

/** An argument that was not given leaves nothing in its place. */
export const queueOf = (queue: QueueDef, args: Readonly<Record<string, string>>): Queue => ({
  name: queue.name,
  concurrency: queue.concurrency,
  key: Placeholders.fill(
    Placeholders.parse(queue.key, argument, ([, name = ""]) => ({ name })),
    ({ name }) => Placeholders.textOf(args, name) ?? ""
  )
})
