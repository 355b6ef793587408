/**
 * The running requests of legacy sessions by request id, as sent: `5` and `"5"` are two requests. Cancelling looks
 * here, since a cancel arrives in a POST of its own.
 */
import type { RequestId } from "@pushbutton/protocol/JsonRpc"

export interface SessionRequests<Key> {
  /** False: the session has a request with this id in flight. */
  readonly enter: (sessionId: string, id: RequestId, key: Key) => boolean
  readonly leave: (sessionId: string, id: RequestId) => void
  readonly find: (sessionId: string, id: RequestId) => Key | undefined
  readonly all: (sessionId: string) => ReadonlyArray<Key>
}

export const make = <Key>(): SessionRequests<Key> => {
  const sessions = new Map<string, Map<RequestId, Key>>()
  return {
    enter: (sessionId, id, key) => {
      const requests = sessions.get(sessionId)
      if (requests === undefined) sessions.set(sessionId, new Map([[id, key]]))
      else if (requests.has(id)) return false
      else requests.set(id, key)
      return true
    },
    leave: (sessionId, id) => {
      const requests = sessions.get(sessionId)
      requests?.delete(id)
      if (requests?.size === 0) sessions.delete(sessionId)
    },
    find: (sessionId, id) => sessions.get(sessionId)?.get(id),
    all: (sessionId) => Array.from(sessions.get(sessionId)?.values() ?? [])
  }
}
