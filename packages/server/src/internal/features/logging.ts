/** Log messages to clients: no method, only the announcement that requests may ask for them (2026-07-28, logging: MUST). */
import type { Feature } from "../Feature.js"

export const make = (isOn: boolean): Feature => ({
  capabilities: () => (isOn ? { logging: {} } : undefined),
  modern: {},
  legacy: {}
})
