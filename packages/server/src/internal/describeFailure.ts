import * as Predicate from "effect/Predicate"

/** A handler's typed error as text for the peer: its message, else its tag and fields, never a stack. */
export const describeFailure = (error: unknown, otherwise = "The tool failed."): string => {
  if (typeof error === "string") return error
  if (Predicate.hasProperty(error, "message") && typeof error.message === "string" && error.message !== "") {
    return error.message
  }
  if (Predicate.hasProperty(error, "_tag") && typeof error._tag === "string")
    return describeTagged(error, error._tag)
  return otherwise
}

const describeTagged = (error: object, tag: string): string => {
  const fields = Object.entries(error).filter(
    ([name, value]) => name !== "_tag" && ["string", "number", "boolean"].includes(typeof value)
  )
  return fields.length === 0
    ? tag
    : `${tag} (${fields.map(([name, value]) => `${name}: ${value}`).join(", ")})`
}
