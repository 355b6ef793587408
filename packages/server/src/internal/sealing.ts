/**
 * AES-256-GCM over text, as pure functions of key, nonce and binding. The binding is associated data: a text that
 * was sealed for another request does not open. Loaded on first use, for it costs start-up time.
 */

import { gcm } from "@noble/ciphers/aes.js"
import { bytesToUtf8, utf8ToBytes } from "@noble/ciphers/utils.js"
import { hkdf } from "@noble/hashes/hkdf.js"
import { sha256 } from "@noble/hashes/sha2.js"
import type { JsonValue } from "@pushbutton/protocol/Json"
import * as Base64Url from "./base64url.js"
import { canonicalJson } from "./canonicalJson.js"

export interface Key {
  readonly id: string
  readonly secret: Uint8Array
}

export interface Opened {
  /** Names this sealed text and no other; part of what is authenticated. */
  readonly id: string
  readonly text: string
}

export interface Sealer {
  readonly seal: (text: string, binding: JsonValue, nonce: Uint8Array) => string
  /** Undefined for whatever was not sealed here, with one of the keys, for this binding. */
  readonly open: (sealed: string, binding: JsonValue) => Opened | undefined
}

export const utf8: (text: string) => Uint8Array = utf8ToBytes

const nonceBytes = 12
const tagBytes = 16
const format = "1"
const shape = /^1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]+)$/

/** The first key seals, all of them open. */
export const make = (keys: readonly [Key, ...ReadonlyArray<Key>]): Sealer => {
  const derived = new Map(keys.map((key) => [key.id, derive(key.secret)]))
  const [{ id: current, secret }] = keys
  const sealingKey = derive(secret)
  return {
    seal: (text, binding, nonce) => {
      const sealed = gcm(sealingKey, nonce, associated(current, binding)).encrypt(utf8ToBytes(text))
      const bytes = new Uint8Array(nonce.length + sealed.length)
      bytes.set(nonce)
      bytes.set(sealed, nonce.length)
      return `${format}.${current}.${Base64Url.encode(bytes)}`
    },
    open: (sealed, binding) => {
      const [, id = "", data = ""] = shape.exec(sealed) ?? []
      const key = derived.get(id)
      const bytes = Base64Url.decode(data)
      if (key === undefined || bytes === undefined || bytes.length < nonceBytes + tagBytes) return undefined
      const nonce = bytes.subarray(0, nonceBytes)
      const text = decrypt(key, nonce, associated(id, binding), bytes.subarray(nonceBytes))
      return text === undefined ? undefined : { id: `${id}.${Base64Url.encode(nonce)}`, text }
    }
  }
}

const derive = (secret: Uint8Array): Uint8Array =>
  hkdf(sha256, secret, undefined, utf8ToBytes("pushbutton request state"), 32)

const associated = (keyId: string, binding: JsonValue): Uint8Array =>
  sha256(utf8ToBytes(canonicalJson([format, keyId, binding])))

const decrypt = (
  key: Uint8Array,
  nonce: Uint8Array,
  aad: Uint8Array,
  sealed: Uint8Array
): string | undefined => {
  try {
    return bytesToUtf8(gcm(key, nonce, aad).decrypt(sealed))
  } catch {
    // The library throws when the tag does not match.
    return undefined
  }
}
