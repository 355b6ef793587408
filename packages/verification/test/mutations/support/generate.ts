/** The stream of mutated messages of one seed. */
import { isObject, type JsonObject } from "@pushbutton/protocol/Json"
import * as Mutate from "./mutate.js"
import type * as Random from "./random.js"
import { requestOf, type Sent } from "./request.js"
import { templates } from "./templates.js"

export interface Mutant {
  readonly number: number
  /** One line. */
  readonly line: Buffer
  /** The request it is, if it is one. */
  readonly sent: Sent | undefined
  /** Whether that request has an id that no other mutant of the stream was made with. */
  readonly hasOwnId: boolean
}

/** Ids of both types, unlike any that a mutation makes. */
const idOf = (number: number): string | number => (number % 2 === 0 ? `mutant ${number}` : 1_000_000 + number)

const withId = (template: JsonObject, number: number): JsonObject => {
  if ("id" in template) return { ...template, id: idOf(number) }
  const { params } = template
  return params !== undefined && isObject(params) && "requestId" in params
    ? { ...template, params: { ...params, requestId: idOf(number - 1) } }
    : template
}

export const mutant = (number: number, random: Random.Random): Mutant => {
  const message = withId(random.pick(templates), number)
  // Some stay as they are: a server that refuses everything would pass else.
  const changed = random.chance(0.1) ? message : Mutate.value(message, random)
  const line = Buffer.from(Mutate.bytes(changed, random).map((byte) => (byte === 0x0a ? 0x20 : byte)))
  const sent = requestOf(line)
  return { number, line, sent, hasOwnId: sent?.id === idOf(number) }
}

export const describe = (seed: number, { line, number }: Mutant): string =>
  `seed ${seed}, mutant ${number}: ${line.subarray(0, 2_000).toString()}`
