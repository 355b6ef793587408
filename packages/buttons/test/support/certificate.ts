/** A certificate for one name, signed by itself and made afresh: nothing secret is kept for tests. */
import { Buffer } from "node:buffer"
import * as Crypto from "node:crypto"

const der = (tag: number, ...contents: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...contents: ReadonlyArray<Uint8Array>) => der(0x30, ...contents)
const identifier = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
const text = (tag: number, value: string) => der(tag, Buffer.from(value, "ascii"))
const bits = (content: Uint8Array) => der(0x03, Buffer.from([0]), content)

const ecdsaWithSha256 = sequence(identifier("2a8648ce3d040302"))

const time = (year: number) => text(0x18, `${year}0101000000Z`)

export interface Certificate {
  readonly cert: string
  readonly key: string
}

export const make = (name: string): Certificate => {
  const { privateKey, publicKey } = Crypto.generateKeyPairSync("ec", { namedCurve: "P-256" })
  const commonName = sequence(der(0x31, sequence(identifier("550403"), text(0x0c, name))))
  const names = sequence(identifier("551d11"), der(0x04, sequence(text(0x82, name))))
  const authority = sequence(
    identifier("551d13"),
    der(0x01, Buffer.from([0xff])),
    der(0x04, sequence(der(0x01, Buffer.from([0xff]))))
  )
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    commonName,
    sequence(time(2020), time(2120)),
    commonName,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(names, authority))
  )
  const signature = Crypto.sign("sha256", content, privateKey)
  const body = sequence(content, ecdsaWithSha256, bits(signature)).toString("base64")
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${body.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  }
}
