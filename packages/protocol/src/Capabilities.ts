/** What a server says it offers, as the newest revision has it; dialects drop the keys a revision lacks. */
import type { JsonObject } from "./Json.js"

export type ListCapability = { readonly listChanged?: boolean }

export type ResourcesCapability = { readonly subscribe?: boolean; readonly listChanged?: boolean }

export type ServerCapabilities = {
  readonly experimental?: { readonly [name: string]: JsonObject }
  readonly logging?: JsonObject
  readonly completions?: JsonObject
  readonly prompts?: ListCapability
  readonly resources?: ResourcesCapability
  readonly tools?: ListCapability
  /** Extension identifier to its settings. */
  readonly extensions?: { readonly [identifier: string]: JsonObject }
}
