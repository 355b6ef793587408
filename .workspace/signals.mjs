// A Ctrl-C under `npm start` arrives twice: from the terminal, which signals every process in the
// foreground, and from npm, which passes its own on. The repeat would end a server that is draining.
import { constants } from "node:os"

const repeatMillis = 500
const signals = /** @type {const} */ (["SIGINT", "SIGTERM"])

/** Drops a repeat of the same signal within half a second; call before anything else listens for signals. */
export const dropRepeatedSignals = () => {
  /** @type {Map<unknown, number>} */
  const last = new Map()
  const emit = process.emit
  /**
   * @param {string | symbol} event
   * @param {ReadonlyArray<unknown>} values
   */
  const emitOnce = (event, ...values) => {
    if (signals.some((signal) => signal === event)) {
      const now = Date.now()
      const repeated = now - (last.get(event) ?? Number.NEGATIVE_INFINITY) < repeatMillis
      last.set(event, now)
      if (repeated) return true
    }
    return Reflect.apply(emit, process, [event, ...values])
  }
  // Node looks `emit` up when the first listener for a signal is added, so replacing it is enough.
  process.emit = /** @type {typeof process.emit} */ (emitOnce)

  // A program that takes its listener away after the first signal would get Node's default (end at once)
  // for the repeat as well, unless a listener stays. With no other left, this one does as the default does.
  for (const signal of signals) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal])
    })
  }
}
