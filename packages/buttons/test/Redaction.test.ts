import { Buffer } from "node:buffer"
import { assert, describe, it } from "@effect/vitest"
import * as Redaction from "@pushbutton/buttons/Redaction"
import * as FastCheck from "effect/FastCheck"
import * as OutputCapture from "../src/internal/outputCapture.js"
import { button } from "./support/definitions.js"

const secret = 's3cr+t/ "quoted" é'

describe("Redaction.make", () => {
  it.each([
    ["as it is", secret],
    ["in JSON", JSON.stringify({ a: secret })],
    ["in JSON of ASCII", JSON.stringify(secret).replace("é", "\\u00e9")],
    ["in JSON with escaped slashes", JSON.stringify(secret).replace("/", "\\/")],
    ["in a URL", `https://h/?a=${encodeURIComponent(secret)}`],
    ["in a URL, lower case", `?a=${encodeURIComponent(secret).toLowerCase()}`],
    ["in a form", new URLSearchParams({ a: secret }).toString()],
    ["in base64", Buffer.from(secret).toString("base64")],
    ["in base64 within more", Buffer.from(`user:${secret}, and more`).toString("base64")],
    ["in base64 one further", Buffer.from(`user1:${secret}!`).toString("base64")],
    ["in base64url", Buffer.from(`${secret}${secret}`).toString("base64url")]
  ])("hides a secret %s", (_, text) => {
    const clean = Redaction.make([secret]).text(`before ${text} after`)
    assert.include(clean, "[redacted]")
    assert.match(clean, /^before .* after$/)
    assert.notInclude(clean, "s3cr")
    assert.isBelow(clean.length, text.length + 30)
  })

  const long = Array.from({ length: 28 }, (_, index) => `k${index}-`).join("")
  const base64 = Buffer.from(long).toString("base64")
  const wrap = (text: string, width: number, end = "\n") =>
    (text.match(new RegExp(`.{1,${width}}`, "g")) ?? []).join(end)

  it.each([
    ["base64 of 76 columns", wrap(base64, 76)],
    ["base64 of 64 columns", wrap(base64, 64, "\r\n")],
    ["lines of 40 columns", wrap(long, 40)],
    ["lines with empty ones between", wrap(long, 30, "\n\n")]
  ])("hides a secret that is wrapped as %s", (_, text) => {
    assert.strictEqual(Redaction.make([long]).text(`before\n${text}\nafter\n`), "before\n[redacted]\nafter\n")
  })

  it("leaves everything else as it is", () => {
    const text = 'a b "c" 123 é\n'
    assert.strictEqual(Redaction.make(["hunter2", ""]).text(text), text)
    assert.strictEqual(Redaction.make([]).text(text), text)
    assert.strictEqual(Redaction.make(["abc"]).text("abc"), "abc")
  })

  it("hides every one of many, also where they overlap", () => {
    const { text } = Redaction.make(["abcd", "cdef", "abcdefgh"])
    assert.strictEqual(text("-abcdef-abcdefgh-abcdabcd-"), "-[redacted]-[redacted]-[redacted]-")
  })

  it("hides the lines of a secret that has several", () => {
    const key = "-----BEGIN KEY-----\nMIIabcdefgh\nxyz\n-----END KEY-----\n"
    assert.strictEqual(
      Redaction.make([key]).text("| MIIabcdefgh\r\n| -----END KEY-----"),
      "| [redacted]\r\n| [redacted]"
    )
  })

  it("does not write a secret by hiding another", () => {
    const secrets = ["redacted", "hunter2"]
    assert.strictEqual(Redaction.make(secrets).text("hunter2"), "***")
  })

  it("hides what a cut left of a secret", () => {
    const { text } = Redaction.make(["0123456789"])
    const gap = "key=01234\n[7 bytes left out]\n6789 and 56789"
    const to = gap.indexOf("6789")
    assert.strictEqual(
      text(gap, [{ from: 9, to }]),
      "key=[redacted]\n[7 bytes left out]\n[redacted] and 56789"
    )
    const cut = "key=012345678\n[cut after 13 bytes]"
    assert.strictEqual(text(cut, [{ from: 13, to: cut.length }]), "key=[redacted]\n[cut after 13 bytes]")
    assert.strictEqual(text("key=012345678", [{ from: 13, to: 13 }]), "key=[redacted]")
    assert.strictEqual(text("key=012345678"), "key=012345678")
  })

  it("takes what only looks like a cut for text", () => {
    const { text } = Redaction.make(["0123456789"])
    const output = "01234\n[7 bytes left out]\n6789\n[cut after 13 bytes]".repeat(100)
    assert.strictEqual(text(output), output)
  })

  it("is done with texts and secrets that repeat themselves", () => {
    const long = `b${"a".repeat(60_000)}`
    const { text } = Redaction.make([long, "aaaa", "a".repeat(5_000)])
    const output = `c${"a".repeat(1_000_000)}${long}`
    assert.strictEqual(text(output, [{ from: 500_000, to: 500_001 }]), "c[redacted]")
  })

  const anySecret = FastCheck.oneof(
    FastCheck.string({ minLength: 4, maxLength: 40 }),
    FastCheck.string({ minLength: 4, maxLength: 40, unit: "binary" }),
    FastCheck.string({ minLength: 4, maxLength: 6, unit: FastCheck.constantFrom("a", "b", "[", "*") }),
    FastCheck.constantFrom("redacted", "[redacted]", "…………", "dact", "****", "left out]")
  )

  it("lets no secret through, whatever it is and whatever stands around it", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(anySecret, { minLength: 1, maxLength: 4 }),
        FastCheck.array(FastCheck.oneof(FastCheck.string(), FastCheck.nat(3)), { maxLength: 12 }),
        (secrets, pieces) => {
          const text = pieces
            .map((piece) => (typeof piece === "number" ? (secrets[piece] ?? "") : piece))
            .join("")
          const clean = Redaction.make(secrets).text(text)
          for (const one of secrets) assert.notInclude(clean, one)
        }
      ),
      { numRuns: 500 }
    )
  })

  it("lets no four characters of a secret through where output was cut", () => {
    const letters = FastCheck.string({
      minLength: 8,
      maxLength: 30,
      unit: FastCheck.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    })
    FastCheck.assert(
      FastCheck.property(
        letters,
        FastCheck.nat(60),
        FastCheck.integer({ min: 10, max: 60 }),
        (key, before, limit) => {
          const capture = OutputCapture.make(limit)
          const output = `${".".repeat(before)}${key}${".".repeat(80)}${key}${".".repeat(before)}`
          for (const byte of Buffer.from(output)) capture.push(Uint8Array.of(byte))
          const { cut, text } = capture.read()
          const clean = Redaction.make([key]).text(text, cut === undefined ? [] : [cut])
          for (let at = 0; at + 4 <= key.length; at++) assert.notInclude(clean, key.slice(at, at + 4))
        }
      ),
      { numRuns: 500 }
    )
  })
})

describe("Redaction.ofButton", () => {
  const { text } = Redaction.ofButton(
    button("x", {
      runtime: "http",
      url: "https://h/services/T0123/XXXXx0123456789abcdefXX/visible-path-2026/token/path-secret?api_key=url-secret%21&page=visible-page&token=two=parts==",
      method: "POST",
      body: JSON.stringify({
        client_secret: "body-secret",
        name: "visible-name",
        nested: [{ password: 12345678, token: ["in-a-list", "before-{{id}}-after"] }]
      }),
      args: [{ name: "id", type: "string" }],
      headers: {
        Authorization: "Bearer bearer-secret",
        "Proxy-Auth": `Basic ${Buffer.from("user:basic-secret").toString("base64")}`,
        "X-Api-Key": "header-secret",
        Accept: "visible/accept"
      },
      env: {
        API_TOKEN: "env-secret",
        dbPassword: "camel-secret",
        DATABASE_URL: "postgres://user:pass%40word@host/visible-db",
        REGION: "visible-region",
        PWD: "/visible/pwd",
        AUTHOR: "visible-author"
      }
    }),
    new Map([["KEY", "battery-secret"]])
  )

  it.each([
    "url-secret!",
    "two=parts==",
    "XXXXx0123456789abcdefXX",
    "path-secret",
    "body-secret",
    "12345678",
    "in-a-list",
    "before-",
    "-after",
    "url-secret%21",
    "bearer-secret",
    "basic-secret",
    "header-secret",
    "env-secret",
    "camel-secret",
    "pass@word",
    "pass%40word",
    "battery-secret"
  ])("hides %s", (value) => {
    assert.strictEqual(text(`<${value}>`), "<[redacted]>")
  })

  it("hides secrets in a form and on lines of JSON", () => {
    const bodies = [
      ["application/x-www-form-urlencoded", "grant=visible&client_secret=form=secret%21&x={{id}}"],
      ["application/x-ndjson", '{"a":1}\n{"token":"form=secret!"}']
    ]
    for (const [type = "", body] of bodies) {
      const { text } = Redaction.ofButton(
        button("x", {
          runtime: "http",
          url: "https://h/",
          headers: { "Content-Type": type },
          body,
          args: [{ name: "id", type: "string" }]
        }),
        new Map()
      )
      assert.strictEqual(text("<form=secret!> visible"), "<[redacted]> visible")
    }
  })

  it.each([
    "visible-page",
    "visible-name",
    "visible-path-2026",
    "T0123",
    "services",
    "visible/accept",
    "visible-region",
    "/visible/pwd",
    "visible-author",
    "visible-db",
    "Bearer",
    "Basic"
  ])("shows %s", (value) => {
    assert.strictEqual(text(`<${value}>`), `<${value}>`)
  })
})
