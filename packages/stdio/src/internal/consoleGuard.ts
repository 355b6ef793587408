/**
 * Keeps stdout for the protocol: whatever prints through the console, be it a dependency or a logger, goes to stderr.
 */
import { Console } from "node:console"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { stderr } from "./stderr.js"

const methods = [
  "log",
  "info",
  "debug",
  "dir",
  "dirxml",
  "table",
  "group",
  "groupCollapsed",
  "groupEnd",
  "time",
  "timeEnd",
  "timeLog"
] as const

/** From now on; gives what takes it back. */
const divert = Effect.sync(() => {
  // biome-ignore lint/suspicious/noConsole: nothing is printed here; what would be is kept away from stdout.
  const before = methods.map((method) => [method, console[method]] as const)
  const out = stderr()
  const other = new Console(out, out)
  Object.assign(console, Object.fromEntries(methods.map((method) => [method, other[method]])))
  return Effect.sync(() => Object.assign(console, Object.fromEntries(before)))
})

/** For as long as the scope is open. */
export const toStderr: Effect.Effect<void, never, Scope.Scope> = Effect.asVoid(
  Effect.acquireRelease(divert, (takeBack) => takeBack)
)

/** Until the process ends. */
export const toStderrForGood: Effect.Effect<void> = Effect.asVoid(divert)
