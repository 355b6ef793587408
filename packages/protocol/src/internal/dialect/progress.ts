/** `notifications/progress` as text: its numbers and what never changes need no general encoder. */
import type { Dialect } from "../../dialect/Dialect.js"
import type { Revision } from "./revision.js"

export const progress = (revision: Revision): Dialect["progress"] => {
  const hasMessage = revision.progress.some(([member]) => member === "message")
  return (progressToken) => {
    const head = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${JSON.stringify(progressToken)},"progress":`
    return (value, total, message) => {
      const members = total === undefined ? `${value}` : `${value},"total":${total}`
      return message === undefined || !hasMessage
        ? `${head}${members}}}`
        : `${head}${members},"message":${JSON.stringify(message)}}}`
    }
  }
}
