/** Button names: any text becomes a slug, and the slug, which is the folder's name, is a button's identity. */

/** Lower case; spaces and underscores become `-`; everything but `a-z`, `0-9` and single inner dashes is dropped. */
export const fromName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[ _]/g, "-")
    .replace(/[^a-z0-9-]/g, "")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "")

export const isSlug = (text: string): boolean => text !== "" && fromName(text) === text
