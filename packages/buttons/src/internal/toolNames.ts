/** Names that models' programming interfaces accept: 1 to 64 letters, digits, `_` and `-`. */
import { createHash } from "node:crypto"

const maxLength = 64
const hashLength = 12

/** Two slugs never have one name: only what was shortened holds a `_`, and a hash of the whole after it. */
export const ofSlug = (slug: string): string => {
  if (slug.length <= maxLength) return slug
  const hash = createHash("sha256").update(slug).digest("hex").slice(0, hashLength)
  return `${slug.slice(0, maxLength - hashLength - 1)}_${hash}`
}

/** Names of properties by names of arguments, in their order: those that would not be accepted are counted. */
export const ofArguments = (names: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const taken = new Set(names)
  return new Map(
    names.map((name, index) => {
      if (/^[A-Za-z0-9_.-]{1,64}$/.test(name)) return [name, name]
      let property = `arg_${index + 1}`
      while (taken.has(property)) property += "_"
      taken.add(property)
      return [name, property]
    })
  )
}
