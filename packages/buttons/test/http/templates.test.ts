/** Values in URLs and bodies: none of them gets out of the place that it was meant for. */
import { assert, describe, it } from "@effect/vitest"
import type { ArgDef } from "@pushbutton/buttons/Button"
import * as BodyTemplate from "@pushbutton/buttons/http/BodyTemplate"
import * as UrlTemplate from "@pushbutton/buttons/http/UrlTemplate"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"

const arg = (name: string, type: ArgDef["type"] = "string"): ArgDef => ({
  name,
  type,
  required: false,
  values: []
})

const args = [arg("a"), arg("b"), arg("n", "int"), arg("yes", "bool"), arg("e", "enum")]

const url = (template: string, values: Record<string, string>): string =>
  Either.getOrElse(UrlTemplate.render(UrlTemplate.parse(template, args), values), (issues) =>
    issues.map(({ detail }) => detail).join()
  )

const body = (template: string, values: Record<string, string>, type?: string): string =>
  BodyTemplate.render(BodyTemplate.parse(template, type, args), values)

describe("UrlTemplate", () => {
  it.each([
    ["/users/{{a}}", "alice?secret=stolen", "/users/alice%3Fsecret=stolen"],
    ["/users/{{a}}", "alice#evil", "/users/alice%23evil"],
    ["/users/{{a}}", "../etc/passwd", "/users/..%2Fetc%2Fpasswd"],
    ["/users/{{a}}", "日本語", "/users/%E6%97%A5%E6%9C%AC%E8%AA%9E"],
    ["/users/{{a}}", "%2e%2e", "/users/%252e%252e"],
    ["/users/{{a}}", "-_.~$&+:=@;,!'()*", "/users/-_.~$&+:=@%3B%2C%21%27%28%29%2A"],
    ["/users/{{a}}", "\r\nHost: x", "/users/%0D%0AHost:%20x"],
    ["?q={{a}}", "foo&secret=stolen", "/?q=foo%26secret%3Dstolen"],
    ["/?q={{a}}", "hello world", "/?q=hello+world"],
    ["/?{{a}}=1", "k=v", "/?k%3Dv=1"],
    ["/{{a}}?format=j1", "Miami", "/Miami?format=j1"],
    ["/{{a}}?format=j1", "San José", "/San%20Jos%C3%A9?format=j1"],
    ["/{{a}}?format=j1", "a?b#c&d=e", "/a%3Fb%23c&d=e?format=j1"],
    ["/x#{{a}}", "y", "/x"],
    ["", "y", "/"],
    ["/{{other}}/ü {{ a }}", "y", "/%7B%7Bother%7D%7D/%C3%BC%20%7B%7B%20a%20%7D%7D"],
    ['/%7B"<>^`|\\', "y", "/%7B%22%3C%3E%5E%60%7C%5C"]
  ])("makes of %s with %j %s", (template, a, expected) => {
    assert.strictEqual(url(template, { a }), expected)
  })

  it.each([
    ["/x/{{a}}/y", { a: "." }],
    ["/x/{{a}}/y", { a: ".." }],
    ["/x/{{a}}", { a: ".." }],
    ["/x/.{{a}}", { a: "." }],
    ["/x/%2e{{a}}", { a: "." }],
    ["/{{a}}{{b}}/x", { a: ".", b: "." }]
  ])("refuses dots that would climb in %s", (template, values) => {
    assert.match(url(template, values), /must not make a part of the path \. or \.\./)
  })

  it("leaves an argument out: nothing in the path, its pair in the query", () => {
    assert.strictEqual(url("/x/{{a}}/y", {}), "/x//y")
    assert.strictEqual(url("/x?a={{a}}&b={{b}}&c=1", { b: "2" }), "/x?b=2&c=1")
    assert.strictEqual(url("/x?a={{a}}{{b}}", { b: "2" }), "/x")
  })

  it("reads a value never as a template, and keeps it in its place", () => {
    const value = FastCheck.oneof(
      FastCheck.string(),
      FastCheck.string({ unit: "binary" }),
      FastCheck.constantFrom("{{b}}", "{{a}}", "/", "?x", "&b=1", "#", "\\..\\", "%2F")
    )
    FastCheck.assert(
      FastCheck.property(value, value, (a, b) => {
        const rendered = UrlTemplate.render(UrlTemplate.parse("/p/{{a}}-/q?b={{b}}&z=1", args), { a, b })
        assert.isTrue(Either.isRight(rendered))
        if (Either.isLeft(rendered)) return
        const read = new URL(rendered.right, "http://host")
        assert.strictEqual(read.pathname + read.search, rendered.right)
        assert.deepStrictEqual(read.pathname.split("/").map(decodeURIComponent), [
          "",
          "p",
          `${wellFormed(a)}-`,
          "q"
        ])
        assert.deepStrictEqual(
          [...read.searchParams],
          [
            ["b", wellFormed(b)],
            ["z", "1"]
          ]
        )
      })
    )
  })
})

const wellFormed = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text))

describe("BodyTemplate", () => {
  it.each<[string, string, string, string | undefined]>([
    [
      '{"q":"{{a}}"}',
      'foo", "admin": true, "_": "',
      '{"q":"foo\\", \\"admin\\": true, \\"_\\": \\""}',
      undefined
    ],
    ['{"q":{{a}}}', '1, "admin": true', '{"q":"1, \\"admin\\": true"}', "application/json; charset=utf-8"],
    ['{"q":"<{{a}}>"}', "</script>&\u2028", '{"q":"<\\u003c/script\\u003e\\u0026\\u2028>"}', "Text/JSON"],
    ['{"{{a}}":1}', 'k":2,"', '{"k\\":2,\\"":1}', "application/problem+json"],
    ["x={{a}}&y=1", "delete&force=true", "x=delete%26force%3Dtrue&y=1", "application/x-www-form-urlencoded"],
    [
      "<x y='{{a}}'>{{a}}</x>",
      "'<y>&\"",
      "<x y='&#39;&#60;y&#62;&#38;&#34;'>&#39;&#60;y&#62;&#38;&#34;</x>",
      "text/xml"
    ],
    ["<x>{{a}}</x>", "</x>", "<x>&#60;/x&#62;</x>", "application/soap+xml; charset=utf-8"],
    [
      '{"q":"{{a}}"}\n{"r":{{a}}}\n',
      '"}\n{"',
      '{"q":"\\"}\\n{\\""}\n{"r":"\\"}\\n{\\""}\n',
      "application/x-ndjson"
    ],
    ['{"q":"{{a}}"}', '","x":"', '{"q":"\\",\\"x\\":\\""}', "application/json-rpc"],
    ["[{{a}}]", "1,2", '["1,2"]', "text/plain"],
    ["say {{a}} now", 'a "quoted"\n', 'say a \\"quoted\\"\\n now', undefined],
    ["{{a}} {{b}} {{other}}", "{{b}}", "{{b}}  {{other}}", "text/plain"]
  ])("makes of %s with %j %s", (template, a, expected, type) => {
    assert.strictEqual(body(template, { a }, type), expected)
  })

  it.each<[string, string | undefined, RegExp | undefined]>([
    ["--b\r\n\r\n{{a}}\r\n--b--", "multipart/form-data; boundary=b", /takes no arguments/],
    ["query { user(id: {{a}}) }", "application/graphql", /takes no arguments/],
    ['{"q":{{a}}}\n{"q"', "application/x-ndjson", /takes no arguments/],
    ["query { user }", "application/graphql", undefined],
    ["<x {{a}}/>", "text/xml", /quoted attribute/],
    ["<![CDATA[{{a}}]]>", "text/xml", /quoted attribute/],
    ["<x y='>' {{a}}/>", "text/xml", /quoted attribute/],
    ["<x y='{{a}}'>{{a}}</x>", "text/xml", undefined],
    ["say {{a}}", "text/plain", undefined],
    ["say {{a}}", undefined, undefined]
  ])("lets arguments stand in %j as %s only where values can be told apart", (template, type, expected) => {
    const found = BodyTemplate.obstacle(BodyTemplate.parse(template, type, args))
    if (expected === undefined) assert.isUndefined(found)
    else assert.match(found ?? "", expected)
  })

  it.each([
    ["{{n}}", { n: "+007" }, "7"],
    ["{{n}}", { n: "-0" }, "0"],
    ["{{n}}", { n: "9223372036854775807" }, "9223372036854775807"],
    ["{{yes}}", { yes: "TRUE" }, "true"],
    ["{{yes}}", { yes: "0" }, "false"],
    ["{{e}}", { e: "prod" }, '"prod"'],
    ['[{{n}},{{a}},"{{n}}{{a}}"]', {}, '[null,null,""]']
  ])("writes %s with %o as %s in JSON", (template, values, expected) => {
    assert.strictEqual(body(template, values), expected)
  })

  it("takes the pair of an argument that was left out of a form", () => {
    assert.strictEqual(body("a={{a}}&b={{b}}&c=1", { b: "" }, "application/x-www-form-urlencoded"), "b=&c=1")
  })

  it("leaves a JSON body the same but for the values, whatever they are", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: "binary" }), FastCheck.string(), (a, b) => {
        const rendered: unknown = JSON.parse(body('{"x":{{a}},"y":["{{b}}-{{a}}"],"\\"{{b}}":1}', { a, b }))
        assert.deepStrictEqual(rendered, { x: a, y: [`${b}-${a}`], [`"${b}`]: 1 })
      })
    )
  })
})
