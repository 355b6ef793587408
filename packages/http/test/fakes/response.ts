/** A response whose client reads when the test says so. */
import type { Response } from "../../src/internal/HttpRequest.js"

export interface FakeResponse extends Response {
  destroyed: boolean
  /** What each write held, the last one of `end` included. */
  readonly writes: ReadonlyArray<string>
  /** False from here on: writes report that the client cannot take more. */
  accepts: boolean
  readonly emit: (event: "close" | "drain") => void
}

export const make = (): FakeResponse => {
  const writes: Array<string> = []
  const listeners: Record<"close" | "drain", Array<() => void>> = { close: [], drain: [] }
  return {
    writes,
    accepts: true,
    headersSent: false,
    destroyed: false,
    writeHead: () => {},
    write(text) {
      writes.push(text)
      return this.accepts
    },
    end: (text) => void writes.push(text ?? ""),
    destroy() {
      this.destroyed = true
    },
    on: (event, listener) => void listeners[event].push(listener),
    emit: (event) => {
      for (const listener of listeners[event]) listener()
    }
  }
}
