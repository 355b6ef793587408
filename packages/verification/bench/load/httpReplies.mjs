// Cuts what a socket gives into HTTP replies. Bytes are read as Latin-1: the bench sends and expects ASCII alone.

/**
 * @typedef {object} Reply
 * @property {number} status
 * @property {boolean} isStream
 * @property {string} head the status line and the headers
 * @property {string} body
 */

/**
 * @typedef {object} Reader
 * @property {(text: string) => void} push
 * @property {() => string} open the body so far of a reply that is not whole yet
 */

/** @param {string} head */
const readHead = (head) => {
  const lower = head.toLowerCase()
  return {
    status: Number(head.slice(9, 12)),
    head,
    isChunked: lower.includes("\r\ntransfer-encoding: chunked"),
    isStream: lower.includes("\r\ncontent-type: text/event-stream"),
    length: Number(/\r\ncontent-length: (\d+)/.exec(lower)?.[1] ?? 0)
  }
}

/**
 * @param {(reply: Reply) => void} onReply
 * @returns {Reader}
 */
export const reader = (onReply) => {
  let rest = ""
  /** @type {ReturnType<typeof readHead> | undefined} */
  let head
  /** @type {Array<string>} */
  let parts = []
  let missing = 0

  const finish = () => {
    if (head === undefined) return
    const reply = { status: head.status, isStream: head.isStream, head: head.head, body: parts.join("") }
    head = undefined
    parts = []
    onReply(reply)
  }

  /** Takes what belongs to a body of known length; whether that is all of it. */
  const takeLength = () => {
    parts.push(rest.slice(0, missing))
    const taken = Math.min(missing, rest.length)
    rest = rest.slice(taken)
    missing -= taken
    if (missing > 0) return false
    finish()
    return true
  }

  /** Takes one chunk; whether it was there. */
  const takeChunk = () => {
    if (missing === 0) {
      const end = rest.indexOf("\r\n")
      if (end === -1) return false
      const size = Number.parseInt(rest.slice(0, end), 16)
      if (size === 0) {
        if (rest.length < end + 4) return false
        rest = rest.slice(end + 4)
        finish()
        return true
      }
      rest = rest.slice(end + 2)
      missing = size + 2
    }
    if (rest.length < missing) return false
    parts.push(rest.slice(0, missing - 2))
    rest = rest.slice(missing)
    missing = 0
    return true
  }

  /** Takes a head; whether it was there. */
  const takeHead = () => {
    const end = rest.indexOf("\r\n\r\n")
    if (end === -1) return false
    head = readHead(rest.slice(0, end))
    rest = rest.slice(end + 4)
    missing = head.isChunked ? 0 : head.length
    return true
  }

  return {
    push: (text) => {
      rest = rest === "" ? text : rest + text
      let isGoing = true
      while (isGoing) isGoing = head === undefined ? takeHead() : head.isChunked ? takeChunk() : takeLength()
    },
    open: () => parts.join("")
  }
}
