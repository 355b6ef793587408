import { assert, describe, it } from "@effect/vitest"
import * as Problem from "@pushbutton/buttons/ButtonProblem"
import * as Origin from "@pushbutton/buttons/http/Origin"
import { button, decode, json } from "../support/definitions.js"

const problems = (fields: Readonly<Record<string, unknown>>) =>
  decode(
    "x",
    json({ name: "x", runtime: "http", url: "https://api.example.com/v1", ...fields })
  ).problems.map(({ field, message, severity }) => `${severity} ${field}: ${message}`)

describe("Button.decode, HTTP", () => {
  it("reads what is sent where", () => {
    const { http } = button("x", {
      runtime: "http",
      url: "HTTPS://API.example.com:443/v1/{{id}}?q={{id}}#top",
      method: "post",
      headers: { Accept: "text/plain", "X-Version": "2" },
      body: '{"id":"{{id}}"}',
      args: [{ name: "id", type: "string", required: true }],
      allowed_host: "api.example.com",
      max_response_bytes: 5_000,
      allow_private_networks: true
    })
    assert.deepInclude(http, {
      origin: { scheme: "https", hostname: "api.example.com", port: 443 },
      method: "POST",
      headers: [
        ["Accept", "text/plain"],
        ["X-Version", "2"]
      ],
      maxResponseBytes: 5_000,
      allowPrivateNetworks: true
    })
    assert.strictEqual(http?.body?._tag, "Json")
  })

  it("has defaults for what is left out", () => {
    assert.deepInclude(button("x", { runtime: "", url: "http://h" }).http, {
      method: "GET",
      headers: [],
      body: undefined,
      maxResponseBytes: 10_485_760,
      allowPrivateNetworks: false
    })
    assert.strictEqual(
      button("x", { url: "http://h", max_response_bytes: 0 }).http?.maxResponseBytes,
      10_485_760
    )
  })

  it.each([
    ["http://2130706433/", "http://127.0.0.1"],
    ["http://0x7f.1/", "http://127.0.0.1"],
    ["http://0177.0.0.1:81/", "http://127.0.0.1:81"],
    ["http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]"],
    ["http://EXAMPLE.com:80/", "http://example.com"],
    ["https://bücher.example:444/", "https://xn--bcher-kva.example:444"],
    ["http://１２７.0.0.1/", "http://127.0.0.1"]
  ])("knows the host of %s by one name", (url, expected) => {
    const origin = button("x", { runtime: "http", url }).http?.origin
    assert.strictEqual(origin && Origin.format(origin), expected)
  })

  it.each<[Readonly<Record<string, unknown>>, ReadonlyArray<string>]>([
    [{ url: "ftp://h/" }, ["error url: must begin with http:// or https://"]],
    [{ url: "//h/" }, ["error url: must begin with http:// or https://"]],
    [{ url: "http:///x" }, ['error url: "" is not a host']],
    [{ url: "http://a b/" }, ["error url: contains a character that no URL may hold there"]],
    [{ url: "http://h/\r\nX: y" }, ["error url: contains a character that no URL may hold there"]],
    [{ url: "http://h\\@evil/" }, ["error url: contains a character that no URL may hold there"]],
    [{ url: "http://u:p@h/" }, ["error url: must not contain a user name or a password; use a header"]],
    [{ url: "http://{{a}}/" }, ["error url: the host takes no arguments"]],
    [{ url: "{{a}}://h/" }, ["error url: must begin with http:// or https://"]],
    [{ url: "http://256.1.1.1/" }, ['error url: "256.1.1.1" is not a host']],
    [
      { url: "https://h/{{who}}" },
      ['warning url: "who" in braces is not an argument; it is sent as it stands']
    ],
    [{ url: 5 }, ["error url: must be a string", "error runtime: an HTTP button needs a url"]],
    [{ method: "GE T" }, ['error method: "GE T" is not a method']],
    [{ method: "connect" }, ["error method: CONNECT is not supported"]],
    [{ headers: { "a b": "x" } }, ['error headers.a b: "a b" is not a header\'s name']],
    [{ headers: { A: "x\r\ny" } }, ["error headers.A: contains a character that no header may hold"]],
    [{ headers: { A: "1", a: "2" } }, ["error headers.a: is there twice"]],
    [{ headers: { Host: "evil" } }, ["warning headers.Host: is set by the client itself; it is not sent"]],
    [
      { headers: { Authorization: "Bearer {{token}}" } },
      ["warning headers.Authorization: headers are not templates; it is sent as it stands"]
    ],
    [
      { headers: { "Content-Type": "application/json" }, body: "{" },
      ["warning body: is not JSON, although the Content-Type says so"]
    ],
    [
      {
        headers: { "Content-Type": "multipart/mixed; boundary=b" },
        body: "{{who}}",
        args: [{ name: "who", type: "string" }]
      },
      ["error body: takes no arguments: how values are written in this Content-Type is not known"]
    ],
    [{ body: "{{who}}" }, ['warning body: "who" in braces is not an argument; it is sent as it stands']],
    [
      { max_response_bytes: 2_147_483_648 },
      ["warning max_response_bytes: is 2147483648; no more than 67108864 are read"]
    ],
    [{ allowed_host: "API.example.com" }, []],
    [{ allowed_host: "api.example.com:443" }, []],
    [
      { allowed_host: "other.example.com" },
      ['error allowed_host: is "other.example.com" but the url\'s host is "api.example.com"']
    ],
    [
      { allowed_host: "api.example.com:8443" },
      ['error allowed_host: is "api.example.com:8443" but the url\'s host is "api.example.com"']
    ],
    [{ url: "http://[::1]:81/", allowed_host: "[::1]:81" }, []],
    [
      { allowed_host: "api.example.com/x@evil.example" },
      ['error allowed_host: "api.example.com/x@evil.example" is not a host or host:port']
    ],
    [
      { allowed_host: "user@api.example.com" },
      ['error allowed_host: "user@api.example.com" is not a host or host:port']
    ],
    [
      { allowed_host: "api.example.com?" },
      ['error allowed_host: "api.example.com?" is not a host or host:port']
    ],
    [
      { allowed_host: "*" },
      ["warning allowed_host: is not supported as *; only the host of the url is reached"]
    ],
    [{ allow_private_networks: 1 }, ["error allow_private_networks: must be true or false"]]
  ])("reports what is wrong with %o", (fields, expected) => {
    assert.deepStrictEqual(problems(fields), expected)
  })

  it("says where it is wrong", () => {
    const text = '{\n"name":"x",\n"url":"https://h/",\n"headers":{\n"A":"1",\n"Te":"x"\n}}'
    assert.deepStrictEqual(decode("x", text).problems.map(Problem.format), [
      "buttons/x/button.json:6: headers.Te: is set by the client itself; it is not sent"
    ])
  })
})
