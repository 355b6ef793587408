/** Peer input quoted in an error message, cut to a bounded length and never through a surrogate pair. */
export const excerpt = (text: string, limit = 100): string => {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 2)
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 2 : limit - 1
  return `${text.slice(0, end)}…`
}
