/** What tests read out of tool results. */

type Result = { readonly [key: string]: unknown } | undefined

/** The text of the first content block. */
export const textOf = (result: Result): string => {
  const content = result?.["content"]
  const [block] = Array.isArray(content) ? content : []
  if (typeof block?.text !== "string") throw new Error(`no text in ${JSON.stringify(result)}`)
  return block.text
}

/** The structured content, which the test knows the shape of. */
export const structured = <T>(result: Result): T => {
  const value = result?.["structuredContent"]
  if (value === undefined) throw new Error(`no structured content in ${JSON.stringify(result)}`)
  return value as T
}
