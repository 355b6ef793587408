/**
 * What the `endpoint` event names. By default a reference relative to the URL of the stream, since a proxy may serve both
 * paths below a prefix that is not known here.
 */

/** The reference with the session that posts belong to. */
export const withKey = (reference: string, key: string): string =>
  `${reference}${reference.includes("?") ? "&" : "?"}${keyParameter}=${encodeURIComponent(key)}`

const keyParameter = "sessionId"

/** The key in the target of a POST. */
export const keyOf = (target: string): string | undefined => {
  const query = target.indexOf("?")
  return query === -1 ? undefined : (new URLSearchParams(target.slice(query)).get(keyParameter) ?? undefined)
}

/** From one absolute path to another. */
export const relative = (from: string, to: string): string => {
  const folders = from.split("/").slice(1, -1)
  const wanted = to.split("/").slice(1)
  let shared = 0
  while (shared < folders.length && shared < wanted.length - 1 && folders[shared] === wanted[shared]) shared++
  const up = "../".repeat(folders.length - shared)
  // The dot keeps a first segment from being read as a scheme, and an empty reference from being the stream itself.
  return `${up === "" ? "./" : up}${wanted.slice(shared).join("/")}`
}
