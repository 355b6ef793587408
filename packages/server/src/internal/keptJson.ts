/**
 * JSON of a peer's that is kept for long. Read, it takes up to twenty times the room of its text, so that only what is
 * short is kept as it is read.
 */
import type { JsonObject } from "@pushbutton/protocol/Json"

/** In UTF-16 units. */
const short = 256

export class KeptJson {
  private readonly kept: JsonObject | string

  constructor(value: JsonObject) {
    const text = JSON.stringify(value)
    this.kept = text.length > short ? text : value
  }

  get value(): JsonObject {
    return typeof this.kept === "string" ? JSON.parse(this.kept) : this.kept
  }
}
