/** What definitions of tools, resources and prompts have in common: how they are written down and what is checked. */
import type { Annotations } from "@pushbutton/protocol/Content"
import type { Icon } from "@pushbutton/protocol/Implementation"
import type { JsonObject } from "@pushbutton/protocol/Json"

/** The members that an author may give to anything that is listed. */
export interface Description {
  readonly title?: string
  readonly description?: string
  readonly icons?: ReadonlyArray<Icon>
  readonly meta?: JsonObject
}

export const describe = ({ description, icons, meta, title }: Description) => ({
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description }),
  ...(icons === undefined ? {} : { icons }),
  ...(meta === undefined ? {} : { _meta: meta })
})

/** What is wrong with a definition: the property, and a clause about it. */
export interface Problem {
  readonly property: string
  readonly detail: string
}

export const problem = (property: string, detail: string): Problem => ({ property, detail })

const legalName = /^[A-Za-z0-9_.-]{1,128}$/

/** 2026-07-28, tools, Tool Names (SHOULD); hosts make identifiers of prompt names just so. */
export const nameProblem = (name: string): Problem | undefined =>
  legalName.test(name)
    ? undefined
    : problem("name", "has to be 1 to 128 letters, digits, underscores, hyphens or dots")

/** Clients take icons by HTTPS or inline, and are told to refuse all other schemes. */
export const iconsProblem = (icons: ReadonlyArray<Icon> | undefined): Problem | undefined =>
  icons?.every(({ src }) => /^(?:https:\/\/|data:)/i.test(src)) === false
    ? problem("icons", "have to be https: or data: URIs")
    : undefined

const mimeType = /^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+(?:\s*;.*)?$/

export const mimeTypeProblem = (type: string | undefined): Problem | undefined =>
  type === undefined || mimeType.test(type)
    ? undefined
    : problem("mimeType", "has to be a type and a subtype")

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/

export const annotationsProblem = (annotations: Annotations | undefined): Problem | undefined => {
  if (annotations === undefined) return undefined
  const { lastModified, priority } = annotations
  if (priority !== undefined && !(priority >= 0 && priority <= 1)) {
    return problem("annotations.priority", "has to be from 0 to 1")
  }
  return lastModified === undefined || dateTime.test(lastModified)
    ? undefined
    : problem("annotations.lastModified", "has to be a date and a time with a zone (ISO 8601)")
}

export const countProblem = (property: string, count: number | undefined): Problem | undefined =>
  count === undefined || (Number.isSafeInteger(count) && count >= 0)
    ? undefined
    : problem(property, "has to be a whole number that is not negative")
