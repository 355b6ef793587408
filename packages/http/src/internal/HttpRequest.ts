/** One HTTP exchange as the rest of this package sees it, so that only `nodeServer` knows node's HTTP server. */
import type { Head, Headers } from "../Admission.js"

/** The part of node's ServerResponse that is used here. */
export interface Response {
  readonly headersSent: boolean
  readonly destroyed: boolean
  writeHead(status: number, headers: Array<string>): unknown
  /** False: the peer cannot take more; `drain` follows when it can. */
  write(text: string): boolean
  end(text?: string): unknown
  destroy(): unknown
  on(event: "close" | "drain", listener: () => void): unknown
}

/** What became of a request body. */
export type Body =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "TooLarge" }
  | { readonly _tag: "NotUtf8" }

export interface HttpRequest extends Head {
  readonly response: Response
  /** Calls back once when the body is whole or cannot be taken; never when the client left before. */
  readBody(limitBytes: number, done: (body: Body) => void): void
  /** Answers although the body is unread: a long rest of it is not read either, and the connection closes. */
  decline(status: number, headers: Headers, text: string): void
}
